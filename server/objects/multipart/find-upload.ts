import type { Key } from "../../rules/records.ts";
import type { MultipartRecord } from "../../rules/s3/multipart.ts";

/** Finds a multipart upload for a caller. NoSuchUpload: there is none of this key. */
export type FindUpload = (id: string, key: Key) => Promise<MultipartRecord>;
