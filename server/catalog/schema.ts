import type { Generated } from "kysely";
import type { Actor, Outcome, Subject } from "../rules/activity.ts";
import type { OnConflict } from "../rules/on-conflict.ts";
import type {
  BlobId,
  Key,
  MetadataText,
  Millis,
  Name,
  S3Text,
  Sha256,
  Visibility,
} from "../rules/records.ts";
import type { TreeChange } from "../rules/tree-change.ts";

/*
 * The tables, the same on both engines. Text compares by bytes. Ids of files and folders begin with
 * the time of their creation (UUIDv7), so their order is the order of creation.
 */

export interface FoldersTable {
  id: string;
  /** null for the root only. */
  parent_id: string | null;
  name: Name | "";
  /** Files store no key, so that renaming a folder rewrites its subfolders and no file. */
  key: Key;
  created_at: Millis;
  updated_at: Millis;
  /** 1: it was made for an object of the S3 API, and goes when a deletion through it empties it. */
  implicit: Generated<0 | 1>;
  /** As of `FolderRecord`. */
  default_visibility: Generated<Visibility | null>;
  /**
   * As of `FolderRecord`: stored, so that an upload need not read the folders above. A change of a default,
   * a move and a restore write it into all folders that inherit it.
   */
  inherited_visibility: Generated<Visibility | null>;
}

export interface FilesTable {
  id: string;
  folder_id: string;
  name: Name;
  /** `naturalName` of the name: see `nameColumns`. */
  natural_name: string;
  mime_type: string;
  size: number;
  visibility: Visibility;
  blob_id: BlobId;
  checksum: number;
  modified_at: Millis;
  created_at: Millis;
  updated_at: Millis;
  /** Of the content; null: not computed yet. */
  sha256: Sha256 | null;
  /** null: none. */
  meta: MetadataText | null;
  /** null: the content was not stored through the S3 API. */
  s3: S3Text | null;
}

export interface BlobLeasesTable {
  block: number;
  /** "" once the lease is released. */
  owner: string;
  /** Milliseconds of the lease clock, which need not be the time of day. */
  heartbeat: number;
}

export interface CondemnedTable {
  blob_id: BlobId;
  condemned_at: Millis;
}

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
  on_conflict: OnConflict;
  created_at: Millis;
  expires_at: Millis;
}

/** See `UploadRecord`. */
export interface UploadsTable extends CapabilityColumns {
  batch_id: string | null;
  /** Of a batch's upload that has a name. */
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
  /** Of a finished upload, it is not this row that keeps the blob. */
  blob_id: BlobId;
  growth: string | null;
  tail_blob_id: BlobId | null;
  tail_size: number;
  state: "open" | "finished";
  file_id: string | null;
  /** Of the last writer. */
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
  /** Of the visitor of a link: the group of its address; null: not made through a link. */
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
  blob_id: BlobId;
  checksum: number;
  sha256: Sha256 | null;
  meta: MetadataText | null;
}

/** Every folder of the members of a batch and their ancestors, up to the folder of the batch. */
export interface BatchFoldersTable {
  batch_id: string;
  path_hash: string;
}

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
  /** null: the store has no blob to write parts into. Of a finished upload, it is not this row that keeps it. */
  blob_id: BlobId | null;
  /** In bytes; null: no part has been written in place yet. */
  part_size: number | null;
  /** assembling: no further part may be written in place. */
  state: "open" | "assembling" | "finished";
  /** Of a finished upload. */
  file_id: string | null;
  /** Likewise: the answer's ETag. */
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

export interface HoldsTable {
  owner: string;
  /** As in `BlobLeasesTable`. */
  heartbeat: number;
}

export interface ApiKeysTable {
  id: string;
  hash: string;
  name: string;
  prefix: string;
  created_at: Millis;
  last_used_at: Millis | null;
  expires_at: Millis | null;
  /** What the key may do: names separated by commas. */
  actions: Generated<string>;
  /** `ApiKeyRecord.folderIds`, separated by commas. */
  folder_ids: Generated<string>;
  parent_id: string | null;
  /** `ApiKeyRecord.secretVersion`. */
  secret_version: Generated<number>;
  /** The hash of the secret before the current one. */
  old_hash: Generated<string | null>;
  old_hash_ends_at: Generated<Millis | null>;
}

export interface AccountsTable {
  id: string;
  email: string;
  password_hash: string;
  created_at: Millis;
  /** Encrypted; null: two-step sign-in is off, and so for the next three. */
  totp_secret: Generated<string | null>;
  /** The last time step whose code was used. */
  totp_step: Generated<number | null>;
  totp_enabled_at: Generated<Millis | null>;
  /** Of the recovery codes that are left, separated by commas. */
  recovery_hashes: Generated<string | null>;
}

export interface SessionsTable {
  id: string;
  hash: string;
  account_id: string;
  user_agent: string;
  address: string;
  created_at: Millis;
  last_seen_at: Millis;
  expires_at: Millis;
}

export interface PasskeysTable {
  id: string;
  account_id: string;
  credential_id: string;
  public_key: string;
  counter: number;
  /** Separated by commas. */
  transports: string;
  can_sync: 0 | 1;
  is_synced: 0 | 1;
  host: string;
  name: string;
  created_at: Millis;
  last_used_at: Millis | null;
}

/** Challenges that passkeys have signed, which are not accepted again. */
export interface UsedChallengesTable {
  /** SHA-256. */
  hash: string;
  /** When it is not accepted anyway. */
  expires_at: Millis;
}

export interface SettingsTable {
  name: string;
  value: string;
}

export interface ActivityTable {
  id: string;
  at: Millis;
  action: string;
  outcome: Outcome;
  status: number;
  actor_kind: Actor["kind"];
  actor_id: string | null;
  actor_name: string | null;
  address: string | null;
  subject_kind: Subject["kind"] | null;
  subject_id: string | null;
  subject_name: string | null;
  /** JSON. */
  detail: string;
}

export interface TrafficTable {
  /** The beginning of the hour. */
  hour: Millis;
  requests: number;
  bytes: number;
  errors: number;
}

export interface KeyTrafficTable {
  /** The day in UTC, such as "2026-01-31", a space, and the id of the key. */
  id: string;
  /** Of an API key that may have been revoked since. */
  key_id: string;
  requests: number;
  bytes: number;
  errors: number;
}

/** A deletion into the trash, of one thing or of several at once. */
export interface TrashDeletionsTable {
  undo_id: string;
  deleted_at: Millis;
  /** It may be purged from then on. */
  expires_at: Millis;
  /** JSON. */
  actor: string;
}

/** What a deletion took out of the tree: a file, or a folder with everything inside. */
export interface TrashItemsTable {
  subject_id: string;
  undo_id: string;
  kind: "file" | "folder";
  /** Where it was. */
  key: Key;
  /** The ids of the folders that contained it, from the root down, separated by commas. */
  parent_ids: string;
  /** The number of files; null: not counted yet. */
  files: number | null;
  /** Of all files; null: not counted yet. */
  bytes: number | null;
}

/** The earlier content of a file. */
export interface VersionsTable {
  id: string;
  file_id: string;
  blob_id: BlobId;
  size: number;
  mime_type: string;
  checksum: number;
  sha256: Sha256 | null;
  meta: MetadataText | null;
  s3: S3Text | null;
  /** As of the file when it had this content. */
  modified_at: Millis;
  replaced_at: Millis;
  /** It may be purged from then on. */
  expires_at: Millis;
  /** JSON: who replaced it. */
  actor: string;
}

/** A share link. */
export interface LinksTable {
  id: string;
  token_hash: string;
  kind: "read" | "drop";
  subject_kind: "file" | "folder";
  subject_id: string;
  maker_kind: Actor["kind"];
  maker_id: string | null;
  maker_name: string | null;
  /** null: none. */
  title: string | null;
  /** argon2id, in PHC string format; null: none. */
  password_hash: string | null;
  /** Another one after each change of the password. */
  password_version: number;
  /** null: never. */
  expires_at: Millis | null;
  /** Visits that are still allowed; null: any number. */
  uses_left: number | null;
  visits: number;
  download_only: 0 | 1;
  /** Of a visitor's uploads; null: no limit of its own. */
  max_bytes: number | null;
  /** Likewise. */
  max_files: number | null;
  created_at: Millis;
  revoked_at: Millis | null;
}

/** The change feed. */
export interface ChangesTable {
  /**
   * The position in the feed, without gaps. null: not numbered yet (only where transactions may
   * commit in another order than they wrote).
   */
  seq: Generated<number | null>;
  kind: TreeChange["kind"] | "feed.started";
  /** Of the file or folder. */
  subject_id: string;
  /** After the change; of something deleted: before it. */
  key: Key;
  /** Before the change, if it was moved. */
  from_key: Key | null;
  /** JSON. */
  actor: string;
  at: Millis;
  /** JSON of what else an entry needs; null: nothing. */
  data: string | null;
}

export interface MigrationsTable {
  version: number;
  applied_at: Millis;
}

export interface Schema {
  folders: FoldersTable;
  files: FilesTable;
  blob_leases: BlobLeasesTable;
  condemned: CondemnedTable;
  uploads: UploadsTable;
  batches: BatchesTable;
  batch_members: BatchMembersTable;
  batch_folders: BatchFoldersTable;
  multipart_uploads: MultipartUploadsTable;
  multipart_parts: MultipartPartsTable;
  holds: HoldsTable;
  api_keys: ApiKeysTable;
  accounts: AccountsTable;
  sessions: SessionsTable;
  passkeys: PasskeysTable;
  used_challenges: UsedChallengesTable;
  settings: SettingsTable;
  activity: ActivityTable;
  traffic: TrafficTable;
  key_traffic: KeyTrafficTable;
  trash_deletions: TrashDeletionsTable;
  trash_items: TrashItemsTable;
  versions: VersionsTable;
  links: LinksTable;
  changes: ChangesTable;
  migrations: MigrationsTable;
}
