import type { BlobId } from "../../rules/records.ts";
import type { SessionPool } from "./session-pool.ts";

export type Outcome = "made" | "undone" | "unknown";

/** Milliseconds that a server may take to come back, and a commit to come to its end. */
const PATIENCE_MS = 12_000;
const PAUSE_MS = 250;

/**
 * What has become of a transaction whose connection was lost in its commit. `blob` is one that
 * nothing but it gives to a file.
 *
 * That it was undone the server can be believed. That it was made it says by mistake when it has
 * crashed and given the same number to another transaction since: only the blob is a proof.
 */
export async function findOutcome(
  pool: SessionPool,
  transaction: string,
  blob: BlobId | undefined,
): Promise<Outcome> {
  const end = performance.now() + PATIENCE_MS;
  do {
    const found = await ask(pool, transaction, blob).catch(() => undefined);
    if (found === "aborted") return "undone";
    if (found === "made") return "made";
    if (found === "committed") return "unknown";
    await Bun.sleep(PAUSE_MS);
  } while (performance.now() < end);
  return "unknown";
}

/** "made": proven. "committed": the server says so. Anything else: it has not ended, or is too long ago. */
async function ask(
  pool: SessionPool,
  transaction: string,
  blob: BlobId | undefined,
): Promise<unknown> {
  const session = await pool.acquire();
  try {
    const { rows } = await session.run({
      text: "select case when exists (select 1 from files where blob_id = $2) then 'made' else pg_xact_status($1::xid8) end as outcome",
      values: [transaction, blob ?? -1],
    });
    return rows[0]?.outcome;
  } finally {
    session.release();
  }
}
