import type { Detail, Subject } from "../../domain/activity.ts";
import type { FileRecord, FolderRecord } from "../../domain/records.ts";
import type { BucketInput } from "./s3-input.ts";

/** The response to a request that the audit log records, and what it says of it. */
export interface Audited {
  readonly response: Response;
  readonly subject: Subject | null;
  readonly detail: Detail;
}

/** A file was stored. */
export const storedFile = (response: Response, { id, key, size }: FileRecord): Audited => ({
  response,
  subject: { kind: "file", id, name: key },
  detail: { files: 1, bytes: size },
});

/** A bucket was changed. */
export const changedBucket = (
  { bucket }: Pick<BucketInput, "bucket">,
  id: string,
  response: Response,
  detail: Detail = {},
): Audited => ({ response, subject: { kind: "folder", id, name: bucket }, detail });

/** A folder was stored. */
export const storedFolder = (response: Response, { id, key }: FolderRecord): Audited => ({
  response,
  subject: { kind: "folder", id, name: key },
  detail: {},
});
