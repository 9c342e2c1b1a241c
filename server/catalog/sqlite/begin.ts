import { Fault } from "../../rules/fault.ts";
import { BUSY_TIMEOUT, type SqliteConnection } from "./connection.ts";

/** Milliseconds between two attempts, at most. */
const PAUSE = 5;

/**
 * Begins a transaction that may write. Fault "unavailable": another process writes for longer
 * than the busy timeout.
 *
 * SQLite's own waiting slows down to ten attempts a second; beside a process that commits without
 * pause, that may miss every gap for seconds.
 */
export async function begin(connection: SqliteConnection): Promise<void> {
  connection.run("PRAGMA busy_timeout = 0");
  await insist(connection, "BEGIN IMMEDIATE");
}

/**
 * Has the file keep a log of its changes, as it does from then on. Fault "unavailable" as of `begin`.
 *
 * Where two make that of a new file at once, SQLite refuses one of them without any waiting.
 */
export async function keepLog(connection: SqliteConnection): Promise<void> {
  await insist(connection, "PRAGMA journal_mode = WAL");
}

/** Runs a statement again for as long as others are in its way, at most the busy timeout. */
async function insist(connection: SqliteConnection, sql: string): Promise<void> {
  const end = performance.now() + BUSY_TIMEOUT;
  for (;;) {
    try {
      connection.run(sql);
      return;
    } catch (cause) {
      const isBusy = cause instanceof Fault && cause.kind === "unavailable";
      if (!isBusy || performance.now() > end) throw cause;
    }
    await Bun.sleep(1 + Math.random() * (PAUSE - 1));
  }
}
