import type { Snapshot } from "./port.ts";

/*
 * A catalog as rows, for carrying all of it into another one, whatever the engines. Rows have the
 * same columns and values on each.
 */

/**
 * The tables that make an instance. The others tell who works with a catalog at the moment. Each row
 * refers to rows of its own or an earlier table only.
 */
export const PERSISTENT_TABLES = [
  "folders",
  "files",
  "accounts",
  "sessions",
  "api_keys",
  "settings",
  "activity",
  "traffic",
] as const;

export type PersistentTable = (typeof PERSISTENT_TABLES)[number];

export type Row = Readonly<Record<string, string | number | null>>;

/**
 * The name of the setting that says in which data folder the bytes lie. That goes for one place only,
 * so this is not among the rows that are carried to another.
 */
export const DISK_SETTING = "disk";

export interface CatalogRows {
  /**
   * Every row in the order of the table's key, in batches, read as they are consumed. Folders that
   * are removed, and what is in them, are left out; a folder comes after the one that it is in.
   */
  rows(table: PersistentTable): AsyncIterable<Row[]>;
}

/** The catalog of an instance that is carried away. It is read and never written to, by nobody. */
export interface MoveSource
  extends CatalogRows,
    Pick<Snapshot, "total" | "blobsAfter" | "fileById" | "knownBlobs"> {
  /** Of the root folder, by which instances are told apart. */
  readonly rootId: string;
  close(): Promise<void>;
}

/** A catalog that is filled, and that nobody can use before it is published. */
export interface MoveDestination extends CatalogRows {
  /**
   * Replaces whatever is in it by these rows. When it resolves, they survive a power cut; until
   * then, what was there is. Fault "no_space". Error: rows refer to what is not there.
   */
  fill(source: CatalogRows): Promise<void>;
  close(): Promise<void>;
}
