import { accessSync, constants, existsSync, statSync } from "node:fs";
import { Fault } from "../../domain/faults/fault.ts";
import { ROOT_KEY } from "../../domain/names/name.ts";
import type { DataFolder } from "../../fs/data-folder-layout.ts";
import { openToRead } from "./connection.ts";
import { findLogDamage } from "./find-log-damage.ts";
import { explainDamage } from "./sqlite-fault.ts";

/**
 * For a data folder that was in use. Error: the catalog is missing, or has no root folder. Writes
 * nothing: SQLite would take an empty file for a new catalog, and delete its log.
 */
export function requireRoot({ path, catalog }: DataFolder): void {
  const size = statSync(catalog, { throwIfNoEntry: false })?.size;
  requireAccess(catalog);
  if (size !== undefined && size > 0 && hasRoot(catalog)) return;
  const damage = findLogDamage(catalog);
  const what =
    size === undefined ? "is missing" : size === 0 ? "is empty (0 bytes)" : "has no folders";
  const why = damage === undefined ? "" : ` (its log ${catalog}-wal is damaged: ${damage})`;
  const elsewhere = size === undefined ? " If the catalog is in PostgreSQL, set DATABASE_URL." : "";
  throw new Error(
    `The catalog ${catalog} ${what}${why}, but ${path} has been in use: put the catalog back from a copy, or restore a backup into another folder and set DATA_PATH to that one.${elsewhere} Nothing has been changed.`,
  );
}

function hasRoot(path: string): boolean {
  try {
    const connection = openToRead(path);
    try {
      const tables = connection.all("SELECT 1 FROM sqlite_schema WHERE name = 'folders'", []);
      if (tables.length === 0) return false;
      return connection.first("SELECT id FROM folders WHERE key = ?", [ROOT_KEY]) !== undefined;
    } finally {
      connection.close();
    }
  } catch (cause) {
    // Even a reader needs some space, for the index of the log. The server takes it from its reserve.
    if (cause instanceof Fault && cause.kind === "no_space") return true;
    throw explainDamage(cause, path);
  }
}

/** Error: the catalog or one of SQLite's files next to it is not a file that this user may write. */
export function requireAccess(catalog: string): void {
  for (const path of [catalog, `${catalog}-wal`, `${catalog}-shm`]) {
    if (existsSync(path)) requireFile(path);
  }
}

function requireFile(path: string): void {
  if (!statSync(path).isFile()) {
    throw new Error(`${path} must be a file of the catalog: move it away and restore a backup.`);
  }
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${path} must be a file that this user may read and write: ${why}.`, { cause });
  }
}
