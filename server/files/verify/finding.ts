import type { CatalogDefectKind } from "../../catalog/port/inspection.ts";
import type { BlobId, Key, Sha256 } from "../../domain/records.ts";

/** One finding of `verify`. Its JSON is an API: never rename a field. */
export type Finding = MissingBlob | DamagedBlob | Orphan | CatalogInconsistency;

/** A record without a blob. */
export interface MissingBlob extends Stored {
  readonly type: "missing";
}

/** A blob that differs from what was stored. */
export interface DamagedBlob extends Stored {
  readonly type: "damaged";
  /** "digest": only the SHA-256 differs. "unreadable": reading failed twice, seconds apart, while the store read others. */
  readonly reason: "size" | "checksum" | "digest" | "unreadable";
  /** What was found; null: not read. */
  readonly found: {
    readonly size: number | null;
    readonly checksum: number | null;
    readonly sha256: Sha256 | null;
  };
}

/** The file, and the blob that was stored for it. */
interface Stored {
  readonly id: string;
  /** null: the file is in a folder that does not exist. */
  readonly key: Key | null;
  readonly blobId: BlobId;
  /** The place of the blob in the store, now or before. */
  readonly place: string;
  /** In bytes. */
  readonly size: number;
  /** CRC-32, unsigned. */
  readonly checksum: number;
  /** null: not computed yet. */
  readonly sha256: Sha256 | null;
}

/** An orphaned blob, or a file or folder in the store that is not a blob. No record refers to it. */
export interface Orphan {
  readonly type: "foreign";
  readonly place: string;
  /** null: its name is not that of a blob. */
  readonly blobId: BlobId | null;
  /** In bytes; null: unknown, or not a blob. */
  readonly size: number | null;
  /**
   * true: left by an upload of a dead process, and the server will remove it: at its next start, or within
   * about a day if the store has carried out the write after the process had died. A catalog that is
   * older than the blobs looks the same.
   */
  readonly leftOver: boolean;
}

/** An inconsistency inside the catalog. */
export interface CatalogInconsistency {
  readonly type: "catalog";
  /** "lost-records": the server found that acknowledged changes are lost. */
  readonly problem: CatalogDefectKind | "lost-records";
  /** The id of the file or folder. */
  readonly id: string | null;
  readonly detail: string;
}
