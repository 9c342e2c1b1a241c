import { Kysely, SqliteDialect } from "kysely";
import type { Schema } from "../schema.ts";
import type { SqliteConnection } from "./connection.ts";

/** Kysely over a connection that stays its owner's: never `destroy` it. */
export function createKysely(connection: SqliteConnection): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: new SqliteDialect({ database: connection }) });
}
