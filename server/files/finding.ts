import type { CatalogDefectKind } from "../catalog/port.ts";
import type { BlobId, Key } from "../rules/records.ts";

/** One finding of `verify`. Its JSON is an interface for programs: never rename a field. */
export type Finding = MissingBlob | DamagedBlob | Orphan | CatalogInconsistency;

/** A record without bytes. */
export interface MissingBlob extends Stored {
  readonly type: "missing";
}

/** Bytes that differ from what was stored. */
export interface DamagedBlob extends Stored {
  readonly type: "damaged";
  /** "unreadable": reading failed. */
  readonly reason: "size" | "checksum" | "unreadable";
  /** What was found; null where it was not read. */
  readonly found: { readonly size: number | null; readonly checksum: number | null };
}

/** The file, and what was stored for it. */
interface Stored {
  readonly id: string;
  /** null: the file is in a folder that does not exist. */
  readonly key: Key | null;
  readonly blobId: BlobId;
  /** Where the store keeps, or kept, the bytes. */
  readonly place: string;
  /** In bytes. */
  readonly size: number;
  /** CRC-32, unsigned. */
  readonly checksum: number;
}

/** An orphaned blob, or something in the store that is not a blob: no record refers to it. */
export interface Orphan {
  readonly type: "foreign";
  readonly place: string;
  /** null: what lies there does not even bear the name of a blob. */
  readonly blobId: BlobId | null;
  /** In bytes; null where that says nothing. */
  readonly size: number | null;
  /**
   * true: an upload of a process that is gone has left them, and the next start would remove them;
   * unless the catalog is older than the bytes, which looks the same.
   */
  readonly leftOver: boolean;
}

/** An inconsistency inside the catalog. */
export interface CatalogInconsistency {
  readonly type: "catalog";
  readonly problem: CatalogDefectKind;
  /** Of the file or folder. */
  readonly id: string | null;
  readonly detail: string;
}
