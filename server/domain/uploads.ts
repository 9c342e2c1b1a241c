import type { Actor } from "./activity.ts";
import type { Lifetime } from "./lifetime.ts";
import type { OnConflict } from "./names/on-conflict.ts";
import type {
  BlobId,
  Key,
  MetadataText,
  Millis,
  Name,
  NewFile,
  Sha256,
  Visibility,
} from "./records.ts";

/** Files in one batch. */
export const MAX_BATCH_FILES = 10_000;

/** How long a finished upload and a committed batch answer, in milliseconds. */
export const ANSWER_MS = 24 * 3600 * 1000;

/** A request that is remembered for `ANSWER_MS`, with the file that it stores. */
export interface RequestToRemember {
  /** Tells apart callers and their idempotency keys. */
  readonly id: string;
  /** The same for the same request. */
  readonly request: string;
}

/** Who made an upload or a batch, and what its URL must be checked against. */
interface Capability {
  /** A UUID that begins with the time of creation. */
  readonly id: string;
  /** SHA-256 of the secret in the URL, in hexadecimal digits. */
  readonly secretHash: string;
  readonly maker: Actor;
  /** The folder ids of the maker's scope at the creation; empty: all folders. */
  readonly within: readonly string[];
  readonly createdAt: Millis;
  /** When it is removed; of something finished or committed: until when it answers. */
  readonly expiresAt: Millis;
}

/** An upload that may take several requests. */
export interface UploadRecord extends Capability {
  /** null: the file is visible as soon as the upload is finished. */
  readonly batchId: string | null;
  /** Where the file will be; of a batch's upload: relative to the folder of the batch. */
  readonly folder: Key;
  /** null: the sender has not named it yet. */
  readonly name: Name | null;
  /** The media type as declared; null: not declared. */
  readonly contentType: string | null;
  /** null: as for uploads by form. */
  readonly visibility: Visibility | null;
  /** null: as for uploads by form. */
  readonly lifetime: Lifetime | null;
  /** null: none given. */
  readonly metadata: MetadataText | null;
  /** `Upload-Metadata` of tus, as the client sent it; null: none. */
  readonly tusMetadata: string | null;
  readonly onConflict: OnConflict;
  /** What the content must have; null: anything. */
  readonly expectedSha256: Sha256 | null;
  /** In bytes; null: not known yet. */
  readonly length: number | null;
  /** In bytes. */
  readonly maxSize: number;
  /** Patterns of the allowed media types; empty: all. */
  readonly types: readonly string[];
  /** The bytes that are durable. Equals the length only when the upload is finished. */
  readonly offset: number;
  /** CRC-32 of the first `offset` bytes, unsigned. */
  readonly checksum: number;
  /** The content; once finished, the file owns it. */
  readonly blobId: BlobId;
  /** State of the blob store for continuing the blob. */
  readonly growth: string | null;
  /** The last bytes before `offset`, which the store could not append to the blob yet. */
  readonly tailBlobId: BlobId | null;
  /** In bytes; 0: there is no tail. */
  readonly tailSize: number;
  readonly state: "open" | "finished";
  /** The file of a finished upload; null: it was skipped, or is in a batch. */
  readonly fileId: string | null;
}

/** Files that appear together, when the batch is committed. */
export interface BatchRecord extends Capability {
  readonly folder: Key;
  /** The visibility of members that name none; null: the same as for uploads by form. */
  readonly visibility: Visibility | null;
  /** The lifetime of all members; null: each has its own. */
  readonly lifetime: Lifetime | null;
  readonly onConflict: OnConflict;
  readonly state: "open" | "committed";
  /** The sealed members; after the commit: how many there were. */
  readonly files: number;
  /** The sum of their sizes. */
  readonly bytes: number;
  /** The result of a committed batch. */
  readonly result: BatchResult | null;
}

/** All numbers together are the members of the batch. */
export interface BatchResult {
  /** Files that were added under a free name. */
  readonly added: number;
  readonly replaced: number;
  readonly skipped: number;
  readonly committedAt: Millis;
}

/** A file of a batch whose content is complete. */
export interface BatchMember extends NewFile {
  /** Relative to the folder of the batch. */
  readonly folder: Key;
  /** null: that of the batch. */
  readonly visibility: Visibility | null;
  /** null: as for uploads by form. The batch's takes precedence. */
  readonly lifetime: Lifetime | null;
  /** null: none given. */
  readonly metadata: MetadataText | null;
}
