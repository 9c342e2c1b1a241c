import type { CatalogDefectKind } from "../catalog/port.ts";
import type { BlobId, Key } from "../rules/records.ts";

/** One thing that is wrong. As JSON this is what programs read, so a field is never renamed. */
export type Finding = MissingBytes | DamagedBytes | ForeignBytes | Contradiction;

/** A record without bytes. */
export interface MissingBytes extends Stored {
  readonly type: "missing";
}

/** Bytes that are not what was stored. */
export interface DamagedBytes extends Stored {
  readonly type: "damaged";
  /** "unreadable": the medium does not give them back. */
  readonly reason: "size" | "checksum" | "unreadable";
  /** What is there; null as far as that was not read. */
  readonly found: { readonly size: number | null; readonly checksum: number | null };
}

/** Of which file, and what was stored for it. */
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

/** Bytes without a record. */
export interface ForeignBytes {
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

/** The catalog does not agree with itself. */
export interface Contradiction {
  readonly type: "catalog";
  readonly problem: CatalogDefectKind;
  /** Of the file or folder. */
  readonly id: string | null;
  readonly detail: string;
}
