import type { Charset } from "../../../contract/text/charset.ts";
import type { Actor } from "../../domain/activity.ts";
import type { Lifetime } from "../../domain/lifetime.ts";
import type { OnConflict } from "../../domain/names/on-conflict.ts";
import type {
  BlobId,
  Key,
  MetadataText,
  Millis,
  Name,
  Sha256,
  Visibility,
} from "../../domain/records.ts";
import type { FetchRecord } from "../port/fetches.ts";

interface CapabilityColumns {
  id: string;
  secret_hash: string;
  maker_kind: Actor["kind"];
  maker_id: string | null;
  maker_name: string | null;
  /** Separated by commas. */
  folder_ids: string;
  folder: Key;
  visibility: Visibility | null;
  lifetime: Lifetime | null;
  on_conflict: OnConflict;
  created_at: Millis;
  expires_at: Millis;
}

/** See `UploadRecord`. */
export interface UploadsTable extends CapabilityColumns {
  batch_id: string | null;
  /** Only finished uploads have it, and open ones of a batch that have a name. */
  path_hash: string | null;
  name: Name | null;
  content_type: string | null;
  meta: MetadataText | null;
  tus_metadata: string | null;
  expected_sha256: Sha256 | null;
  length: number | null;
  max_size: number;
  /** JSON. */
  types: string;
  offset: number;
  checksum: number;
  /** The row of a finished upload does not keep the blob. */
  blob_id: BlobId;
  growth: string | null;
  tail_blob_id: BlobId | null;
  tail_size: number;
  state: "open" | "finished";
  file_id: string | null;
  /** The epoch of the last writer. */
  epoch: number;
  /** Who writes, or wrote until it was silent for too long; null: nobody. */
  writer: string | null;
  /** As in `BlobLeasesTable`. */
  heartbeat: number;
  /** 1: another writer waits. */
  must_stop: 0 | 1;
}

/** See `BatchRecord`. */
export interface BatchesTable extends CapabilityColumns {
  state: "open" | "committed";
  files: number;
  bytes: number;
  added: number | null;
  replaced: number | null;
  skipped: number | null;
  committed_at: Millis | null;
  /** The address group of the visitor who made the batch; null: not made through a link. */
  client: string | null;
  /** Whether the visitor of a link has started to send something. */
  used: 0 | 1;
}

/** See `BatchMember`. */
export interface BatchMembersTable {
  batch_id: string;
  /** From 1, in the order in which they were added. */
  number: number;
  /** Paths may be too long for an index. */
  path_hash: string;
  folder: Key;
  name: Name;
  mime_type: string;
  size: number;
  visibility: Visibility | null;
  lifetime: Lifetime | null;
  blob_id: BlobId;
  checksum: number;
  sha256: Sha256 | null;
  meta: MetadataText | null;
  charset: Charset;
}

/** Every folder of the members of a batch and their ancestors, up to the folder of the batch. */
export interface BatchFoldersTable {
  batch_id: string;
  path_hash: string;
}

export interface FetchesTable {
  upload_id: string;
  state: FetchRecord["state"];
  error: string | null;
  at: Millis;
}
