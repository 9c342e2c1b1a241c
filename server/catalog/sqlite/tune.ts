import { BUSY_TIMEOUT, type SqliteConnection } from "./connection.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";

/** Kibibytes. Enough for the upper levels of every index; the rest is the system's page cache. */
const READ_CACHE = 4 * 1024;
const WRITE_CACHE = 4 * 1024;
const KEPT_JOURNAL = 64 * 1024 * 1024;

/** The settings of a connection that only reads. */
export function tuneForReading(connection: SqliteConnection): void {
  connection.run(`PRAGMA cache_size = -${READ_CACHE}`);
  connection.run("PRAGMA query_only = ON");
}

/** The settings of a connection that writes. With less than FULL, a power cut undoes what was answered. */
export async function tuneForWriting(connection: SqliteConnection): Promise<void> {
  // Where two make that of a new file at once, SQLite refuses one of them without any waiting.
  await retryWhileBusy(connection, "PRAGMA journal_mode = WAL");
  connection.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
  connection.run("PRAGMA synchronous = FULL");
  connection.run("PRAGMA foreign_keys = ON");
  connection.run(`PRAGMA cache_size = -${WRITE_CACHE}`);
  connection.run(`PRAGMA journal_size_limit = ${KEPT_JOURNAL}`);
}
