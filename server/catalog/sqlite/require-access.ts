import { accessSync, constants, existsSync, statSync } from "node:fs";

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
