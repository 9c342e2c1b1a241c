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
  const end = performance.now() + BUSY_TIMEOUT;
  connection.run("PRAGMA busy_timeout = 0");
  for (;;) {
    try {
      connection.run("BEGIN IMMEDIATE");
      return;
    } catch (cause) {
      const isBusy = cause instanceof Fault && cause.kind === "unavailable";
      if (!isBusy || performance.now() > end) throw cause;
    }
    await Bun.sleep(1 + Math.random() * (PAUSE - 1));
  }
}
