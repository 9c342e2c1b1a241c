import type { Kysely, RawBuilder } from "kysely";
import type { Schema } from "../schema.ts";

/** A step of the tables from one version to the next. Once released it is never edited. */
export type Migration = (db: Kysely<Schema>, types: ColumnTypes) => Promise<void>;

/** How an engine spells what tables are made of. */
export interface ColumnTypes {
  /** Text that compares by bytes. */
  readonly text: RawBuilder<unknown>;
  /** Whole numbers, 64 bits. */
  readonly integer: RawBuilder<unknown>;
  /** What ends `create table`. */
  readonly tableEnd: RawBuilder<unknown>;
  /**
   * Puts what the engine needs in place of an index on whole keys of folders, which have up to 4,096
   * bytes. Two folders of one key stay impossible.
   */
  readonly indexKeys: (db: Kysely<Schema>) => Promise<void>;
}
