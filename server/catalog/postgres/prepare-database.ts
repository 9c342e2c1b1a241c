import type { Kysely } from "kysely";
import { sql } from "kysely";
import { isOfThisVersion, migrate } from "../migrations/migrate.ts";
import type { ColumnTypes } from "../migrations/migration.ts";
import type { Schema } from "../schema.ts";
import { inspectDatabase } from "./inspect-database.ts";
import { KEY_HEAD } from "./key-compiler.ts";
import { createKysely } from "./kysely.ts";
import type { SessionPool } from "./session-pool.ts";

/** Where PostgreSQL's schema differs from SQLite's. */
const types: ColumnTypes = {
  text: sql`text collate "C"`,
  integer: sql`bigint`,
  tableEnd: sql``,
  indexKeys,
};

/** 15 is the oldest that its makers still mend. */
const OLDEST = 15;
/** How long others may take to bring the tables up to date, or this one. */
const MIGRATION_MS = 3_600_000;

/**
 * Makes the database ready for use, with the tables of this version, whoever else does the same at
 * this moment. Returns the versions that were reached. `begin` runs together with what makes the
 * tables, where there were none. Error: it cannot be used.
 */
export async function prepareDatabase(
  pool: SessionPool,
  begin: (db: Kysely<Schema>) => Promise<void> = async () => {},
): Promise<number[]> {
  const { schema, version, encoding, standby, tables } = await inspectDatabase(pool);
  const session = await pool.acquire();
  try {
    if (version < OLDEST * 10_000) {
      throw new Error(
        `It is PostgreSQL ${Math.floor(version / 10_000)}, but must be ${OLDEST} or newer.`,
      );
    }
    if (encoding !== "UTF8") {
      throw new Error(`Its encoding is ${encoding}, but must be UTF8: create another database.`);
    }
    if (standby) throw new Error("It is a standby, which only reads: give the primary's address.");
    if (schema === null) throw new Error("No schema of its search_path is there: create it.");
    const db = createKysely(({ sql: text, parameters: values }) =>
      session.run({ text, values }, MIGRATION_MS),
    );
    if (tables && (await isOfThisVersion(db))) return [];
    await session.runAll(["begin isolation level read committed", ...PATIENT]);
    await session.run({ text: ONE_AT_A_TIME, values: [`holdall ${schema}`] }, MIGRATION_MS);
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

/** Equal keys are found by their hash, and ranges as `KeyCompiler` asks for them. */
async function indexKeys(db: Kysely<Schema>): Promise<void> {
  const head = sql`left(key, ${sql.lit(KEY_HEAD)})`;
  await sql`alter table folders drop constraint folders_key_key`.execute(db);
  await sql`alter table folders add constraint folders_key_key exclude using hash (key with =)`.execute(
    db,
  );
  await sql`create index folders_key_walk on folders ((${head}))`.execute(db);
  await sql`analyze folders`.execute(db);
}

const PATIENT = ["statement", "lock"].map((what) => `set local ${what}_timeout = ${MIGRATION_MS}`);

/** Until the transaction ends. */
const ONE_AT_A_TIME = "select pg_advisory_xact_lock(hashtextextended($1, 0))";
