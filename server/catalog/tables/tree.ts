import type { Generated } from "kysely";
import type { Charset } from "../../../contract/text/charset.ts";
import type {
  BlobId,
  Key,
  MetadataText,
  Millis,
  Name,
  S3Text,
  Sha256,
  Visibility,
} from "../../domain/records.ts";

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
  /** Same as in `FolderRecord`. */
  default_visibility: Generated<Visibility | null>;
  /**
   * Same as in `FolderRecord`: stored, so that an upload need not read the folders above. A change of a default,
   * a move and a restore write it into all folders that inherit it.
   */
  inherited_visibility: Generated<Visibility | null>;
  /** Same as in `FolderRecord`, in seconds. */
  expire_after: Generated<number | null>;
  /** Same as in `FolderRecord`, in seconds: stored for the same reason as `inherited_visibility`. */
  inherited_expire_after: Generated<number | null>;
  /** `BucketSettings` in JSON; null: none. Only of top-level folders. */
  bucket_settings: Generated<string | null>;
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
  /** The digest of the content; null: not computed yet. */
  sha256: Sha256 | null;
  /** null: none. */
  meta: MetadataText | null;
  /** null: the content was not stored through the S3 API. */
  s3: S3Text | null;
  charset: Charset;
  /** From then on it is missing; null: it does not end. null too in the trash, and so once it is restored. */
  expires_at: Generated<Millis | null>;
  /** 1: it was public before a policy of its bucket was, which `setBucketPolicy` has made public with others. */
  kept_public: Generated<1 | null>;
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
  charset: Charset;
  /** As of the file when it had this content. */
  modified_at: Millis;
  replaced_at: Millis;
  /** It may be purged from then on. */
  expires_at: Millis;
  /** JSON: who replaced it. */
  actor: string;
}
