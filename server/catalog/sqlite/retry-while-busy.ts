import { BUSY_TIMEOUT, type SqliteConnection } from "./connection.ts";
import { isBusy } from "./sqlite-fault.ts";

/** Milliseconds between two attempts, at most. */
const PAUSE = 5;

/**
 * Runs a statement again for as long as other processes are in its way, at most the busy timeout;
 * then fault "unavailable". From then on the connection itself waits for nobody.
 *
 * SQLite's own waiting slows down to ten attempts a second; beside a process that commits without
 * pause, that may miss every gap for seconds.
 */
export async function retryWhileBusy(connection: SqliteConnection, sql: string): Promise<void> {
  const end = performance.now() + BUSY_TIMEOUT;
  connection.run("PRAGMA busy_timeout = 0");
  for (;;) {
    try {
      connection.run(sql);
      return;
    } catch (cause) {
      if (!isBusy(cause) || performance.now() > end) throw cause;
    }
    await Bun.sleep(1 + Math.random() * (PAUSE - 1));
  }
}
