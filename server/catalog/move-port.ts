import type { Snapshot } from "./port/catalog.ts";

/*
 * A catalog as rows, for moving an instance to a catalog on any engine. Rows have the same columns
 * and values on each.
 */

/**
 * The tables of an instance that are moved. The others have the state of running processes. A row
 * refers only to rows of its own table or of an earlier one.
 */
export const PERSISTENT_TABLES = [
  "folders",
  "files",
  "accounts",
  "identities",
  "grants",
  "invites",
  "sessions",
  "passkeys",
  "used_challenges",
  "api_keys",
  "links",
  "webhooks",
  "deliveries",
  "settings",
  "activity",
  "counters",
  "trash_deletions",
  "trash_items",
  "trash_folders",
  "versions",
  "undo_steps",
  "former_keys",
  "quotas",
] as const;

export type PersistentTable = (typeof PERSISTENT_TABLES)[number];

export type Row = Readonly<Record<string, string | number | null>>;

/** The setting that names the data folder with the blobs. It is not moved, since the folder changes. */
export const DISK_SETTING = "disk";

export interface CatalogRows {
  /**
   * All rows in the order of the table's key, in batches, read as they are consumed, without removed
   * folders and their content. A folder comes after its parent.
   */
  rows(table: PersistentTable): AsyncIterable<Row[]>;
}

/** The catalog of the instance to be moved. It is never written to. */
export interface MoveSource
  extends CatalogRows,
    Pick<Snapshot, "storedTotals" | "blobsAfter" | "recordOfBlob" | "knownBlobs"> {
  /** The id of the root folder, which identifies the instance. */
  readonly rootId: string;
  close(): Promise<void>;
}

/** The new catalog. No server can use it before it is published. */
export interface MoveDestination extends CatalogRows {
  /**
   * Replaces its content by these rows in one transaction. When it resolves, they survive a power
   * cut. Fault "no_space". Error: a row refers to one that does not exist.
   */
  fill(source: CatalogRows): Promise<void>;
  close(): Promise<void>;
}

/**
 * The setting that marks the unpublished destination of a move. Its value is the id of the root
 * folder of the instance that is moved.
 */
export const UNPUBLISHED = "filling";
