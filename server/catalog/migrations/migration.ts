import type { ColumnDefinitionBuilder, Kysely, RawBuilder } from "kysely";
import type { Schema } from "../schema.ts";

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
  /** Makes statements that forget the column fail, where the engine can drop the default of a column. */
  readonly dropDefault: (db: Kysely<Schema>, table: string, column: string) => Promise<void>;
  /** Pairs of texts as rows with the columns `key` and `value`. The keys are different. */
  readonly pairsOf: (pairs: Iterable<readonly [string, string]>) => RawBuilder<unknown>;
  /** The column with the numbers of the change feed. */
  readonly feedNumber: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
  /** Adds what orders entries of the change feed that have no number yet. */
  readonly orderFeed: (db: Kysely<Schema>) => Promise<void>;
}
