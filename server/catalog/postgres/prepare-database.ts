import { sql } from "kysely";
import { isOfThisVersion, migrate } from "../migrations/migrate.ts";
import type { ColumnTypes } from "../migrations/migration.ts";
import { createKysely } from "./kysely.ts";
import type { Session } from "./session.ts";
import type { SessionPool } from "./session-pool.ts";

/** Where PostgreSQL's schema differs from SQLite's. */
const types: ColumnTypes = { text: sql`text collate "C"`, integer: sql`bigint`, tableEnd: sql`` };

/** 15 is the oldest that its makers still mend. */
const OLDEST = 15;
/** How long others may take to bring the tables up to date, or this one. */
const MIGRATION_MS = 3_600_000;

/**
 * Makes the database ready for use, with the tables of this version, whoever else does the same at
 * this moment. Returns the versions that were reached. Error: it cannot be used.
 */
export async function prepareDatabase(pool: SessionPool): Promise<number[]> {
  const session = await pool.acquire();
  try {
    const { schema, version, encoding, standby, tables } = await look(session);
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
    await session.run({ text: "commit" });
    return versions;
  } catch (cause) {
    await session.run({ text: "rollback" }).catch(() => {});
    throw cause;
  } finally {
    session.release();
  }
}

const PATIENT = ["statement", "lock"].map((what) => `set local ${what}_timeout = ${MIGRATION_MS}`);

/** Until the transaction ends. */
const ONE_AT_A_TIME = "select pg_advisory_xact_lock(hashtextextended($1, 0))";

interface Look {
  readonly schema: string | null;
  readonly version: number;
  readonly encoding: string;
  readonly standby: boolean;
  /** Whether there is a catalog in the schema. */
  readonly tables: boolean;
}

async function look(session: Session): Promise<Look> {
  const { rows } = await session.run({
    text: `select current_schema()::text as schema,
      current_setting('server_version_num')::int as version,
      current_setting('server_encoding') as encoding,
      pg_is_in_recovery() as standby,
      to_regclass(quote_ident(current_schema()) || '.migrations') is not null as tables`,
  });
  return rows[0];
}
