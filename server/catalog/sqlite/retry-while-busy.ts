import { sleep } from "../../runtime/sleep.ts";
import { BUSY_TIMEOUT_MS, type SqliteConnection } from "./connection.ts";
import { isBusy } from "./sqlite-fault.ts";

const MAX_PAUSE_MS = 5;

/** Connections that have begun a transaction. To set their timeout each time takes longer than to begin one. */
const begun = new WeakSet<SqliteConnection>();

/**
 * Runs a statement, again while other processes block it, for at most the busy timeout; then fault
 * "unavailable". The connection itself must not wait: its `busy_timeout` is 0.
 *
 * SQLite's own waiting slows down to ten attempts a second. Next to a process that commits without a
 * pause, that can miss every gap for seconds.
 */
export async function retryWhileBusy(connection: SqliteConnection, sql: string): Promise<void> {
  const end = performance.now() + BUSY_TIMEOUT_MS;
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

/**
 * Begins a transaction that may write. Fault "unavailable": another process writes for too long. From then on
 * the connection itself does not wait.
 */
export function beginImmediate(connection: SqliteConnection): Promise<void> {
  if (!begun.has(connection)) connection.run("PRAGMA busy_timeout = 0");
  begun.add(connection);
  return retryWhileBusy(connection, "BEGIN IMMEDIATE");
}
