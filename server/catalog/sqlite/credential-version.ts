import { type Kysely, sql } from "kysely";
import type { Schema } from "../engine/schema.ts";
import type { SqliteConnection } from "./connection.ts";

/* Uploads commit many times a second, and credentials are read for each request: only a commit that changes
   credentials may empty their cache. */

/** The tables of cached credentials. */
const TABLES = ["accounts", "api_keys", "sessions"];
const EVENTS = ["insert", "update", "delete"];

/**
 * Lets the database count the changes of credentials. Triggers see the changes of every process: also those of a
 * command of an older release that was running at the migration, and those of a person who edits the file.
 */
export async function countCredentialChanges(db: Kysely<Schema>): Promise<void> {
  await sql`create table credential_version (version integer not null) strict`.execute(db);
  await sql`insert into credential_version values (0)`.execute(db);
  for (const table of TABLES) {
    for (const event of EVENTS) {
      const name = sql.ref(`${table}_${event}`);
      await sql`create trigger ${name} after ${sql.raw(event)} on ${sql.table(table)} begin
        update credential_version set version = version + 1; end`.execute(db);
    }
  }
}

/**
 * Returns a number that changes whenever credentials change. `generation` changes with every commit: only then is the
 * database read.
 */
export function createCredentialVersion(
  reader: SqliteConnection,
  generation: () => number,
): () => number {
  let seen = Number.NaN;
  let version = Number.NaN;

  return () => {
    // Read first: a commit in between is noticed by the next call.
    const current = generation();
    if (current === seen) return version;
    version = readVersion(reader);
    seen = current;
    return version;
  };
}

const VERSION = "select version from credential_version";

function readVersion(reader: SqliteConnection): number {
  const row = reader.first<{ version: number }>(VERSION, []);
  if (row === undefined) throw new Error("The catalog does not count changes of credentials.");
  return row.version;
}
