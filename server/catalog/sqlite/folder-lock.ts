import { join } from "node:path";
import { isSqliteError, openDatabase, type SqliteDatabase } from "../../runtime/sqlite.ts";

export interface FolderLock {
  /**
   * Lets this server's worker processes share the lock with `joinFolder`; other servers stay out.
   * Error: another server took the lock in the moment in between.
   */
  admitWorkers(): void;
  release(): void;
}

/** Two servers that start at the same moment may both find the lock half taken: one gets it by then. */
const LOCK_TIMEOUT_MS = 300;
/** How long workers of a server that was killed may take to exit. */
const ORPHANS_TIMEOUT_MS = 10_000;
/** How long a worker waits for a process that tests whether the folder is free. */
const JOIN_TIMEOUT_MS = 5000;

/** Referred to from here: a connection that is garbage collected loses its lock. */
const held = new Set<SqliteDatabase>();

/** Whether this process has locked the data folder, or joined it. */
export const holdsFolder = (path: string): boolean =>
  [...held].some(({ filename }) => filename === lockIn(path));

/**
 * Locks the data folder until the process ends: the operating system releases the lock, so it cannot
 * outlive a crash. Error with this message, within a second: another process has locked it.
 */
export function lockFolder(path: string, message = servedMessage(path)): FolderLock {
  const database = openLock(path, (opened) => lockExclusively(opened, message));
  return {
    admitWorkers() {
      database.run("ROLLBACK");
      // Excludes other servers, but not the workers that join.
      if (!tryToRun(database, "BEGIN IMMEDIATE", LOCK_TIMEOUT_MS)) throw new Error(message);
    },
    release: () => unlock(database),
  };
}

/**
 * The shared lock of a worker process: while one of them lives, even without its server, no other
 * server can lock the data folder. Error: another server has locked it.
 */
export function joinFolder(path: string): Pick<FolderLock, "release"> {
  const database = openLock(path, (opened) => {
    opened.run("BEGIN");
    if (!tryToRun(opened, "SELECT count(*) FROM sqlite_schema", JOIN_TIMEOUT_MS)) {
      throw new Error(servedMessage(path));
    }
  });
  return { release: () => unlock(database) };
}

function openLock(path: string, take: (database: SqliteDatabase) => void): SqliteDatabase {
  const database = openDatabase(lockIn(path), "write");
  held.add(database);
  try {
    // Nothing is ever written here, and a journal would need space that a full disk does not have.
    // This fails if the file is locked, and so will `take`.
    tryToRun(database, "PRAGMA journal_mode = MEMORY", 0);
    take(database);
    return database;
  } catch (cause) {
    unlock(database);
    throw cause;
  }
}

function unlock(database: SqliteDatabase): void {
  held.delete(database);
  database.close();
}

function lockExclusively(database: SqliteDatabase, message: string): void {
  const end = performance.now() + ORPHANS_TIMEOUT_MS;
  while (!tryToRun(database, "BEGIN EXCLUSIVE", LOCK_TIMEOUT_MS)) {
    // If no server holds it, the others are workers that have lost their server.
    if (!tryToRun(database, "BEGIN IMMEDIATE", LOCK_TIMEOUT_MS / 3)) throw new Error(message);
    database.run("ROLLBACK");
    if (performance.now() > end) throw new Error(message);
  }
}

/** false: another process blocks it for longer than the timeout. */
function tryToRun(database: SqliteDatabase, sql: string, timeoutMs: number): boolean {
  database.run(`PRAGMA busy_timeout = ${timeoutMs}`);
  try {
    database.run(sql);
    return true;
  } catch (cause) {
    if (isSqliteError(cause) && cause.code === "SQLITE_BUSY") return false;
    throw cause;
  }
}

const lockIn = (path: string): string => join(path, "lock");

const servedMessage = (path: string): string =>
  `Another Holdall already serves the data folder ${path}. Stop it first, or choose another folder.`;
