import type { Visibility } from "../../../../../sdk/src/holdall.ts";
import type { Entry } from "../data/entry.ts";
import type { CopyTarget } from "./copy-entries.ts";
import type { MoveTarget } from "./move-entries.ts";

export interface DeleteOptions {
  readonly isPermanent: boolean;
  /** Called if nothing was moved to the trash, because it is off. */
  readonly onTrashOff: () => void;
}

/** Each rejects with an error for the user if it could not start. After that, the dashboard shows the outcome itself. */
export interface Changes {
  /** Asks if the name is taken, and rejects if it is to stay, or the server refuses. */
  rename(entry: Entry, name: string): Promise<void>;
  /** Asks about those whose names are taken. */
  move(entries: readonly Entry[], folder: MoveTarget): Promise<void>;
  /** Under free names. Without a folder, next to their originals. */
  copy(entries: readonly Entry[], folder: CopyTarget): Promise<void>;
  setVisibility(entries: readonly Entry[], visibility: Visibility): Promise<void>;
  /** To the trash, with an offer to undo it, or permanently. */
  delete(entries: readonly Entry[], options: DeleteOptions): Promise<void>;
  /** Resolves with the key of the new folder. */
  createFolder(path: string): Promise<string>;
}
