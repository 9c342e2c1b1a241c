import type { FileRecord, Sha256 } from "../domain/records.ts";
import type { UploadRecord } from "../domain/uploads.ts";

/** The upload after a request. */
export interface AppendResult {
  readonly upload: UploadRecord;
  /** The file of a finished upload; undefined: see `UploadedFile`. */
  readonly file: FileRecord | undefined;
  readonly sha256: Sha256 | undefined;
  /** Whether this request has finished the upload. */
  readonly isCompleted: boolean;
}
