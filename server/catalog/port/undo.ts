import type { ChangedBy } from "../../domain/callers/caller.ts";
import type { Ref } from "../../domain/callers/ref.ts";
import type { DryRunChange, DryRunConflict } from "../../domain/dry-run.ts";
import type { Millis } from "../../domain/records.ts";
import type { RestoredTrash } from "./trash.ts";

export interface UndoChanges {
  /**
   * Takes back what API keys or an account did, latest first, in one transaction: deletions into the trash, replaced content
   * of which versions were kept, moves, new names, visibility and metadata, and what an undo restored. Nothing is overwritten: what
   * others have changed since, and what has no place any more, stays and is in `conflicts`.
   *
   * Faults: "not_found": the folder; "forbidden": `maker` made neither the changes nor the key that did; "too_large":
   * there are too many changes.
   */
  undoChanges(caller: ChangedBy, wanted: WantedUndo): Promise<Undone>;
  /** Forgets what was changed before this time, which is not undone any more. */
  pruneUndo(limit: { readonly before: Millis }): Promise<void>;
}

export interface WantedUndo {
  /** The id of an API key or account. A key also stands for all keys that it has made, even revoked ones. */
  readonly by: string;
  /** Who may undo only what it or keys that it has made did; undefined: everybody's. */
  readonly maker: string | undefined;
  readonly since: Millis;
  /** Default: now. */
  readonly until?: Millis | undefined;
  /** Only what is in this folder, at any depth. Default: everywhere. */
  readonly folder?: Ref | undefined;
  /** Deletions only. */
  readonly onlyDeletions: boolean;
  /** How long content is kept that gives way to a version, in milliseconds. */
  readonly keepMs: number;
}

export interface Undone extends RestoredTrash {
  /** The time of everything that it did: as `since` and `until`, it takes back this undo alone. */
  readonly at: Millis;
  /** What was done, at most `MAX_REPORTED` of them. */
  readonly changes: readonly DryRunChange[];
  /** The number of all of them. */
  readonly total: number;
  /** At most `MAX_REPORTED` of what was left as it is. */
  readonly conflicts: readonly DryRunConflict[];
}
