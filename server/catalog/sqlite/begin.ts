import type { SqliteConnection } from "./connection.ts";
import { insist } from "./insist.ts";

/**
 * Begins a transaction that may write. Fault "unavailable": another process writes for longer
 * than the busy timeout.
 */
export async function begin(connection: SqliteConnection): Promise<void> {
  await insist(connection, "BEGIN IMMEDIATE");
}
