import { BUSY_TIMEOUT_MS, type SqliteConnection } from "./connection.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";

/** Kibibytes. Enough for the upper levels of every index; the system's page cache has the rest. */
const READ_CACHE = 4 * 1024;
const WRITE_CACHE = 4 * 1024;
const MAX_LOG_BYTES = 64 * 1024 * 1024;

/** The settings of a connection that only reads. */
export function configureForReading(connection: SqliteConnection): void {
  connection.run(`PRAGMA cache_size = -${READ_CACHE}`);
  connection.run("PRAGMA query_only = ON");
}

/** The settings of a connection that writes. With less than FULL, a power cut loses answered changes. */
export async function configureForWriting(connection: SqliteConnection): Promise<void> {
  // When two processes set this on a new file at once, SQLite refuses one of them without waiting.
  connection.run("PRAGMA busy_timeout = 0");
  await retryWhileBusy(connection, "PRAGMA journal_mode = WAL");
  connection.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  connection.run("PRAGMA synchronous = FULL");
  connection.run("PRAGMA foreign_keys = ON");
  connection.run(`PRAGMA cache_size = -${WRITE_CACHE}`);
  connection.run(`PRAGMA journal_size_limit = ${MAX_LOG_BYTES}`);
}
