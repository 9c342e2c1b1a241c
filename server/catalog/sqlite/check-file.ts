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

/** The error that says so when SQLite cannot make sense of the file; any other comes back as it is. */
export function refusal(cause: unknown, path: string): unknown {
  if (!(cause instanceof SQLiteError)) return cause;
  if (cause.code === "SQLITE_NOTADB" || cause.code?.startsWith("SQLITE_CORRUPT")) {
    return damaged(path, cause.message, cause);
  }
  return cause;
}

function damaged(path: string, finding: string, cause?: unknown): Error {
  return new Error(
    `The catalog ${path} is damaged (${finding}). Restore it from a backup; nothing has been changed.`,
    { cause },
  );
}
