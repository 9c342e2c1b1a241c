import type { SeenBy } from "../../domain/callers/caller.ts";
import type { Key } from "../../domain/records.ts";
import type { MultipartRecord } from "../../semantics/s3/multipart.ts";

/** Finds a multipart upload for a caller. NoSuchUpload: there is none of this key. */
export type FindUpload = (caller: SeenBy, id: string, key: Key) => Promise<MultipartRecord>;
