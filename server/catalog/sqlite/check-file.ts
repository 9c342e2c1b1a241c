import { SQLiteError } from "bun:sqlite";
import { statSync } from "node:fs";
import type { SqliteConnection } from "./connection.ts";

/** About half a second's reading, or a few seconds' from a cold disk: some 600,000 files. */
const MOST_TO_CHECK = 512 * 1024 * 1024;

/**
 * Looks through the file for damage, as far as that is quick. Returns whether it has looked: a
 * very large file would hold up the start for too long. Error: it is damaged.
 */
export function checkFile(connection: SqliteConnection): boolean {
  if (statSync(connection.path).size > MOST_TO_CHECK) return false;
  const [row] = connection.prepare("PRAGMA quick_check(1)").all([]);
  const finding = Object.values(Object(row)).join().replaceAll("\n", " ");
  if (finding !== "ok") throw damaged(connection.path, finding);
  return true;
}

/** Everything that SQLite finds wrong with the file, indexes and constraints included, up to `most`. */
export function examineFile(connection: SqliteConnection, most: number): string[] {
  try {
    const rows = connection.prepare(`PRAGMA integrity_check(${most})`).all([]);
    const findings = rows.map((row) => Object.values(Object(row)).join());
    return findings.filter((finding) => finding !== "ok");
  } catch (cause) {
    if (isDamage(cause)) return [cause.message];
    throw cause;
  }
}

/** The error that says so when SQLite cannot make sense of the file; any other comes back as it is. */
export function refusal(cause: unknown, path: string): unknown {
  return isDamage(cause) ? damaged(path, cause.message, cause) : cause;
}

function isDamage(cause: unknown): cause is SQLiteError {
  if (!(cause instanceof SQLiteError)) return false;
  return cause.code === "SQLITE_NOTADB" || (cause.code?.startsWith("SQLITE_CORRUPT") ?? false);
}

function damaged(path: string, finding: string, cause?: unknown): Error {
  return new Error(
    `The catalog ${path} is damaged (${finding}). Restore it from a backup; nothing has been changed.`,
    { cause },
  );
}
