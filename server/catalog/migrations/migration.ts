import type { ColumnDefinitionBuilder, Kysely, RawBuilder } from "kysely";
import type { Schema } from "../engine/schema.ts";

/** A schema migration from one version to the next. Never edited once released. */
export type Migration = (db: Kysely<Schema>, types: ColumnTypes) => Promise<void>;

/** How an engine spells the parts of `create table`. */
export interface ColumnTypes {
  /** Text that compares by bytes. */
  readonly text: RawBuilder<unknown>;
  /** 64-bit integers. */
  readonly integer: RawBuilder<unknown>;
  /** The end of `create table`. */
  readonly tableEnd: RawBuilder<unknown>;
  /**
   * Replaces the unique index on the keys of folders where the engine cannot index keys of 4,096
   * bytes. Keys stay unique.
   */
  readonly indexKeys: (db: Kysely<Schema>) => Promise<void>;
  readonly addFilledColumn: FilledColumn;
  /** The column with the numbers of the change feed. */
  readonly feedNumber: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
  /** Adds what orders entries of the change feed that have no number yet. */
  readonly orderFeed: (db: Kysely<Schema>) => Promise<void>;
  /** Makes the database count the changes of credentials, for an engine that caches these. */
  readonly countCredentialChanges: (db: Kysely<Schema>) => Promise<void>;
}

/**
 * Adds a text column that is not null to a table. The batches have the id and the value of each row, and
 * are read as they are consumed.
 */
export type FilledColumn = (
  db: Kysely<Schema>,
  table: "files",
  column: string,
  batches: AsyncIterable<readonly (readonly [id: string, value: string])[]>,
) => Promise<void>;
