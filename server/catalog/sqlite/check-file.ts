import { statSync } from "node:fs";
import { openToRead, type SqliteConnection } from "./connection.ts";
import { damaged, damageIn, explainDamage } from "./sqlite-fault.ts";

/** Half a second of reading, or a few seconds from a cold disk: some 600,000 files. */
const MAX_CHECKED_BYTES = 512 * 1024 * 1024;

/**
 * Checks the file for damage. Returns false for a very large file, which would delay the start for
 * too long. Error: it is damaged.
 */
export function checkFile(connection: SqliteConnection): boolean {
  if (statSync(connection.path).size > MAX_CHECKED_BYTES) return false;
  const [row] = connection.prepare("PRAGMA quick_check(1)").all([]);
  const finding = Object.values(Object(row)).join().replaceAll("\n", " ");
  if (finding !== "ok") throw damaged(connection.path, finding);
  return true;
}

/**
 * Checks the whole file and its log, indexes included, and writes nothing, also not the log into the
 * file. Error: it is damaged.
 */
export function checkWhole(path: string): void {
  try {
    const connection = openToRead(path);
    try {
      const [finding] = findDamage(connection, 1);
      if (finding !== undefined) throw damaged(path, finding.replaceAll("\n", " "));
    } finally {
      connection.close();
    }
  } catch (cause) {
    throw explainDamage(cause, path);
  }
}

/** Up to `max` findings of SQLite about the file, its indexes and constraints included. */
export function findDamage(connection: SqliteConnection, max: number): string[] {
  try {
    const rows = connection.prepare(`PRAGMA integrity_check(${max})`).all([]);
    const findings = rows.map((row) => Object.values(Object(row)).join());
    return findings.filter((finding) => finding !== "ok");
  } catch (cause) {
    const damage = damageIn(cause);
    if (damage !== undefined) return [damage.message];
    throw cause;
  }
}
