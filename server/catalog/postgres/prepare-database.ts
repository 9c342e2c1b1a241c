import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Schema } from "../engine/schema.ts";
import { isOfThisVersion, migrate } from "../migrations/migrate.ts";
import type { ColumnTypes, FilledColumn } from "../migrations/migration.ts";
import { inspectDatabase } from "./inspect-database.ts";
import { createKysely } from "./kysely.ts";
import { KEY_PREFIX } from "./long-key-compiler.ts";
import type { SessionPool } from "./session-pool.ts";

/** Where PostgreSQL's schema differs from SQLite's. */
const types: ColumnTypes = {
  text: sql`text collate "C"`,
  integer: sql`bigint`,
  tableEnd: sql``,
  indexKeys,
  addFilledColumn,
  feedNumber: (column) => column,
  orderFeed,
  countCredentialChanges: async () => {},
};

/** The oldest version that PostgreSQL still maintains. */
const MIN_VERSION = 15;
/** How long the schema migrations of this or another process may take. */
const MIGRATION_MS = 3_600_000;

/**
 * Runs the schema migrations; several processes may do so at the same time. Returns the versions that
 * were reached. If there were no tables, `begin` runs in the transaction that creates them. Error:
 * the database cannot be used.
 */
export async function prepareDatabase(
  pool: SessionPool,
  begin: (db: Kysely<Schema>) => Promise<void> = async () => {},
): Promise<number[]> {
  const { schema, version, encoding, standby, readonly, tables } = await inspectDatabase(pool);
  const session = await pool.acquire();
  try {
    if (version < MIN_VERSION * 10_000) {
      throw new Error(
        `It is PostgreSQL ${Math.floor(version / 10_000)}, but must be ${MIN_VERSION} or newer.`,
      );
    }
    if (encoding !== "UTF8") {
      throw new Error(`Its encoding is ${encoding}, but must be UTF8: create another database.`);
    }
    if (standby) throw new Error("It is a read-only standby: use the primary's address.");
    if (readonly) throw new Error("It is read-only: default_transaction_read_only is on.");
    if (schema === null) throw new Error("No schema of its search_path exists: create one.");
    const db = createKysely((statement) => session.run(statement, MIGRATION_MS));
    if (tables && (await isOfThisVersion(db))) return [];
    await session.runAll(["begin isolation level read committed", ...LONG_TIMEOUTS]);
    await session.run({ text: LOCK_MIGRATIONS, values: [`holdall ${schema}`] }, MIGRATION_MS);
    const versions = await migrate(db, types);
    if (versions[0] === 1) await begin(db);
    await session.run({ text: "commit" });
    return versions;
  } catch (cause) {
    await session.run({ text: "rollback" }).catch(() => {});
    throw cause;
  } finally {
    session.release();
  }
}

/** Equal keys are found by hash, and ranges by prefix, as `LongKeyCompiler` compares them. */
async function indexKeys(db: Kysely<Schema>): Promise<void> {
  const head = sql`left(key, ${sql.lit(KEY_PREFIX)})`;
  await sql`alter table folders drop constraint folders_key_key`.execute(db);
  await sql`alter table folders add constraint folders_key_key exclude using hash (key with =)`.execute(
    db,
  );
  await sql`create index folders_key_walk on folders ((${head}))`.execute(db);
  await sql`analyze folders`.execute(db);
}

/** See `number-changes.ts`. */
async function orderFeed(db: Kysely<Schema>): Promise<void> {
  await sql`alter table changes add column written bigint generated always as identity primary key`.execute(
    db,
  );
  await sql`create unique index changes_seq on changes (seq) where seq is not null`.execute(db);
  await sql`create index changes_unnumbered on changes (written) where seq is null`.execute(db);
}

const LONG_TIMEOUTS = ["statement", "lock"].map(
  (what) => `set local ${what}_timeout = ${MIGRATION_MS}`,
);

/** A lock until the transaction ends. */
const LOCK_MIGRATIONS = "select pg_advisory_xact_lock(hashtextextended($1, 0))";

/**
 * The table is written anew once, and its indexes are built whole. Updates of all rows would take several
 * times as long and leave the table and its indexes twice as large.
 */
async function addFilledColumn(
  ...[db, table, column, batches]: Parameters<FilledColumn>
): Promise<void> {
  await run(db, sql`create table new_values (id text collate "C" primary key, value text)`);
  for await (const pairs of batches) {
    const json = JSON.stringify(Object.fromEntries(pairs));
    await run(
      db,
      sql`insert into new_values select key, value from json_each_text(cast(${json} as json))`,
    );
  }
  await run(db, sql`analyze new_values`);
  await run(
    db,
    sql`create function new_value_of(wanted text) returns text stable language sql
      as 'select value from new_values where id = wanted'`,
  );
  const [name, added] = [sql.table(table), sql.ref(column)];
  await run(db, sql`alter table ${name} add column ${added} text`);
  await run(
    db,
    sql`alter table ${name}
      alter column ${added} type text collate "C" using new_value_of(id),
      alter column ${added} set not null`,
  );
  await run(db, sql`drop function new_value_of`);
  await run(db, sql`drop table new_values`);
}

const run = (db: Kysely<Schema>, statement: RawBuilder<unknown>): Promise<unknown> =>
  statement.execute(db);
