import type { Actor } from "../../domain/activity.ts";
import type { BlobId, Key, Millis } from "../../domain/records.ts";

/** See `MultipartRecord`. */
export interface MultipartUploadsTable {
  id: string;
  /** The top-level folder of `key`. */
  bucket: Key;
  key: Key;
  maker_kind: Actor["kind"];
  maker_id: string | null;
  maker_name: string | null;
  /** JSON of `MultipartAttributes`. */
  attributes: string;
  /** null: the store has no blob to write parts into. The row of a finished upload does not keep the blob. */
  blob_id: BlobId | null;
  /** In bytes; null: no part has been written in place yet. */
  part_size: number | null;
  /** assembling: no further part may be written in place. */
  state: "open" | "assembling" | "finished";
  /** The file that a finished upload has made. */
  file_id: string | null;
  /** The ETag in the response that finished the upload. */
  etag: string | null;
  created_at: Millis;
  expires_at: Millis;
}

/** See `PartRecord`. */
export interface MultipartPartsTable {
  upload_id: string;
  number: number;
  /**
   * writing: the place in the upload's blob is taken for it, and its bytes may be incomplete. A part of
   * the same number may be stored at the same time.
   */
  state: "writing" | "stored";
  size: number;
  md5: string;
  checksum: number;
  /** JSON of the S3 checksums; null: none. */
  s3_checksums: string | null;
  /** null: in place, in the blob of the upload. */
  blob_id: BlobId | null;
  modified_at: Millis;
  /** Tells the writes of a part apart. */
  claim: string;
}
