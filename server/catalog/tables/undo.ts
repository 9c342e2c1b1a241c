import type { Millis } from "../../domain/records.ts";

/** A row holds the state of a file or folder before a change. It is kept as long as the trash keeps deletions. */
export interface UndoStepsTable {
  /** Begins with the time, so that they are in order. */
  id: string;
  at: Millis;
  actor_id: string;
  /** visibility: of files inside of a folder. */
  kind: "file" | "folder" | "visibility" | "content" | "passed" | "restored" | "trashed";
  /** The id of the file or folder. */
  subject_id: string;
  /** JSON: see `UndoStep`. */
  data: string;
}

/** An API key that another one had made, and that is gone. */
export interface FormerKeysTable {
  id: string;
  parent_id: string;
  ended_at: Millis;
}

/** A change that an undo took back. */
export interface TakenBack {
  readonly at: Millis;
  /** The id of the API key or account that had made it. */
  readonly by: string;
  /** It was itself part of an undo. */
  readonly takesBack?: TakenBack | undefined;
}
