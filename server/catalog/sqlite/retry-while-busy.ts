import { sleep } from "../../runtime/sleep.ts";
import { BUSY_TIMEOUT_MS, type SqliteConnection } from "./connection.ts";
import { isBusy } from "./sqlite-fault.ts";

const MAX_PAUSE_MS = 5;

/**
 * Runs a statement, again while other processes block it, for at most the busy timeout; then fault
 * "unavailable". From then on the connection itself does not wait.
 *
 * SQLite's own waiting slows down to ten attempts a second. Next to a process that commits without a
 * pause, that can miss every gap for seconds.
 */
export async function retryWhileBusy(connection: SqliteConnection, sql: string): Promise<void> {
  const end = performance.now() + BUSY_TIMEOUT_MS;
  connection.run("PRAGMA busy_timeout = 0");
  for (;;) {
    try {
      connection.run(sql);
      return;
    } catch (cause) {
      if (!isBusy(cause) || performance.now() > end) throw cause;
    }
    await sleep(1 + Math.random() * (MAX_PAUSE_MS - 1));
  }
}

/** Begins a transaction that may write. Fault "unavailable": another process writes for too long. */
export const beginImmediate = (connection: SqliteConnection): Promise<void> =>
  retryWhileBusy(connection, "BEGIN IMMEDIATE");
