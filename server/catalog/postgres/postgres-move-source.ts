import { isOfThisVersion } from "../migrations/migrate.ts";
import { createMoveSource } from "../move/move-source.ts";
import type { MoveSource } from "../move-port.ts";
import { LEASE_SECONDS } from "../port/blob-ledger.ts";
import { explainConnectError } from "./explain-connect-error.ts";
import { inspectDatabase } from "./inspect-database.ts";
import { createReader } from "./reader.ts";
import { CONNECTION_NAME, createSessionPool, type SessionPool } from "./session-pool.ts";

/** An idle server still uses its catalog every minute. */
const QUIET_SECONDS = 70;

/**
 * The catalog in a database, which may be a standby. It is never written to. Error, in one line: it
 * cannot be reached or used, is not of this version, or a server uses it.
 */
export async function openPostgresMoveSource(url: string): Promise<MoveSource> {
  const pool = createSessionPool({ url, size: 4, acquireTimeoutMs: 30_000, purpose: "read" });
  try {
    const reader = createReader(pool);
    const { tables } = await inspectDatabase(pool);
    if (!tables) throw new Error("It has no catalog of Holdall.");
    if (!(await isOfThisVersion(reader.db))) {
      throw new Error(
        "Its catalog was written by an older version of Holdall: start this version on it once to upgrade it.",
      );
    }
    if (await isServed(pool)) {
      throw new Error(
        `Servers still use it: stop all of them. One that was killed counts for ${LEASE_SECONDS} seconds.`,
      );
    }
    return await createMoveSource({ ...reader, close: pool.close });
  } catch (cause) {
    await pool.close();
    throw explainConnectError(cause, url);
  }
}

/** Judged by active leases, and by connections that were active lately. */
async function isServed(pool: SessionPool): Promise<boolean> {
  const session = await pool.acquire();
  try {
    const { rows } = await session.run({
      text: `select exists (
          select from blob_leases
          where owner not in ('', 'closed') and heartbeat > extract(epoch from clock_timestamp()) * 1000 - $1
        ) or exists (
          select from pg_stat_activity
          where application_name = ${CONNECTION_NAME} and datname = current_database()
            and pid <> pg_backend_pid() and state_change > now() - make_interval(secs => $2)
        ) as served`,
      values: [LEASE_SECONDS * 1000, QUIET_SECONDS],
    });
    return rows[0].served;
  } finally {
    session.release();
  }
}
