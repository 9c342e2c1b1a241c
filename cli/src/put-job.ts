import type { OnConflict, ResumeStore, Visibility } from "../../sdk/src/holdall.ts";
import type { Progress } from "../../server/transfer/progress.ts";

/** A local file or folder to upload, and its place on the server. */
export interface PutJob {
  /** Absolute. */
  readonly path: string;
  readonly isFolder: boolean;
  /** The key of the target folder: of a folder, for its content. */
  readonly folder: string;
  /** The name of a file. */
  readonly name: string;
}

export interface PutSettings {
  readonly visibility: Visibility | undefined;
  readonly onConflict: OnConflict;
  readonly resume: ResumeStore | undefined;
  readonly progress: Progress;
}
