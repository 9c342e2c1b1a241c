import type { SqliteConnection } from "./connection.ts";

/**
 * Writes the log into the catalog's file and empties it, unless a reader is busy or the disk is full.
 * A commit that failed after it was written would stay behind later ones, and look like damage to
 * `findLogDamage` after a crash.
 */
export function truncateLog(connection: SqliteConnection): void {
  try {
    connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all([]);
  } catch {
    // The log stays as it is, which loses nothing.
  }
}
