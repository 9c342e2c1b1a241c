import type { BlobId } from "../../domain/records.ts";
import { sleep } from "../../runtime/sleep.ts";
import type { SessionPool } from "./session-pool.ts";

export type Outcome = "committed" | "rolled back" | "unknown";

/** How long a server may take to restart, and a commit to finish. */
const TIMEOUT_MS = 12_000;
const PAUSE_MS = 250;

/**
 * The outcome of a transaction whose connection was lost during its commit. `blob` is one that only
 * this transaction gives to a file.
 *
 * PostgreSQL's "aborted" is reliable. Its "committed" is not: after a crash the server may have given the same number
 * to another transaction. Only the blob is proof.
 */
export async function findOutcome(
  pool: SessionPool,
  transaction: string,
  blob: BlobId | undefined,
): Promise<Outcome> {
  const end = performance.now() + TIMEOUT_MS;
  do {
    const found = await readOutcome(pool, transaction, blob).catch(() => undefined);
    if (found === "aborted") return "rolled back";
    if (found === "proven") return "committed";
    if (found === "committed") return "unknown";
    // The client must not wait for a server that may stay frozen.
    if (pool.isFrozen()) return "unknown";
    await sleep(PAUSE_MS);
  } while (performance.now() < end);
  return "unknown";
}

/** "proven", or the server's answer; null for a transaction that is too old. */
async function readOutcome(
  pool: SessionPool,
  transaction: string,
  blob: BlobId | undefined,
): Promise<unknown> {
  const session = await pool.acquire();
  try {
    const { rows } = await session.run({
      text: "select case when exists (select 1 from files where blob_id = $2) then 'proven' else pg_xact_status($1::xid8) end as outcome",
      values: [transaction, blob ?? -1],
    });
    return rows[0]?.outcome;
  } finally {
    session.release();
  }
}
