import type { Charset } from "../../contract/text/charset.ts";
import type { Actor } from "./activity.ts";
import type { BlobId, FileRecord, MetadataText, Millis, Name, S3Text, Sha256 } from "./records.ts";

/** A file or folder in the trash. */
export type TrashRecord = TrashedFile | TrashedFolder;

interface Trashed {
  /** The id of the file or folder, which it keeps in the trash. */
  readonly id: string;
  readonly name: Name;
  /**
   * Where a restore puts it if the name is free: where it was, with the current names of the folders
   * that are still there. It may be longer than a key can be.
   */
  readonly key: string;
  /** The id of the deletion, which may have taken more. */
  readonly undoId: string;
  readonly deletedAt: Millis;
  readonly deletedBy: Actor;
  /** It is deleted permanently some time after. */
  readonly expiresAt: Millis;
}

interface TrashedFile extends Trashed {
  readonly kind: "file";
  readonly file: Pick<FileRecord, "size" | "visibility" | "mimeType">;
}

interface TrashedFolder extends Trashed {
  readonly kind: "folder";
  /** Inside, at any depth; null: not counted yet. */
  readonly files: number | null;
  /** The bytes of all files inside; null: not counted yet. */
  readonly bytes: number | null;
}

/** The earlier content of a file. */
export interface VersionRecord {
  readonly id: string;
  readonly fileId: string;
  readonly blobId: BlobId;
  /** In bytes. */
  readonly size: number;
  readonly mimeType: string;
  /** Same as in `FileRecord`. */
  readonly checksum: number;
  readonly sha256: Sha256 | null;
  readonly metadata: MetadataText | null;
  readonly s3: S3Text | null;
  readonly charset: Charset;
  /** The file's, when it had this content. */
  readonly modifiedAt: Millis;
  readonly replacedAt: Millis;
  readonly replacedBy: Actor;
  /** It is deleted permanently some time after. */
  readonly expiresAt: Millis;
}

/** Why an id could not be restored. */
export const NOT_IN_TRASH = "Not found in the trash.";
