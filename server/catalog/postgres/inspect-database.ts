import type { SessionPool } from "./session-pool.ts";

/** What is checked before the catalog of a database is opened. */
export interface DatabaseInfo {
  readonly schema: string | null;
  readonly version: number;
  readonly encoding: string;
  readonly standby: boolean;
  /** Whether transactions cannot write unless they ask for it. */
  readonly readonly: boolean;
  /** Whether the schema has the tables of a catalog. */
  readonly tables: boolean;
}

export async function inspectDatabase(pool: SessionPool): Promise<DatabaseInfo> {
  const session = await pool.acquire();
  try {
    return (await session.run(SELECT_INFO)).rows[0];
  } finally {
    session.release();
  }
}

const SELECT_INFO = {
  text: `select current_schema()::text as schema,
      current_setting('server_version_num')::int as version,
      current_setting('server_encoding') as encoding,
      pg_is_in_recovery() as standby,
      current_setting('transaction_read_only') = 'on' as readonly,
      to_regclass(quote_ident(current_schema()) || '.migrations') is not null as tables`,
};
