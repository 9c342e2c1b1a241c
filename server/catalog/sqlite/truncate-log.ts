import type { SqliteConnection } from "./connection.ts";

/**
 * Writes the log into the catalog's file and empties it, unless a reader is busy or the disk is full.
 * What a large transaction had written to the log before it was rolled back would stay behind later
 * commits, and look like damage to `findLogDamage` after a crash.
 */
export function truncateLog(connection: SqliteConnection): void {
  try {
    connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all([]);
  } catch {
    // The log stays as it is, which loses nothing.
  }
}
