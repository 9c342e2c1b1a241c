import type { SqliteConnection } from "./connection.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";

/**
 * Begins a transaction that may write. Fault "unavailable": another process writes for longer
 * than the busy timeout.
 */
export async function begin(connection: SqliteConnection): Promise<void> {
  await retryWhileBusy(connection, "BEGIN IMMEDIATE");
}
