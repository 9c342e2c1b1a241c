import { Database, SQLiteError } from "bun:sqlite";
import { join } from "node:path";

export interface FolderLock {
  /**
   * Lets this server's worker processes in with `joinFolder`; other servers stay out. Error: another
   * one was quicker in the moment that it takes.
   */
  admitWorkers(): void;
  release(): void;
}

/** Two that start at the same instant may both find the lock half taken: one has it after this long. */
const PATIENCE = 300;
/** Milliseconds that workers of a server that was killed may take to go. */
const LEAVING = 10_000;
/** Milliseconds that a worker waits for whoever just looks whether the folder is free. */
const JOINING = 5000;

/** Kept here: a connection that nobody refers to any more is closed, and its lock gone. */
const held = new Set<Database>();

/** Whether this process has locked the data folder, or joined it. */
export const holdsFolder = (path: string): boolean =>
  [...held].some(({ filename }) => filename === lockIn(path));

/**
 * Holds the data folder for as long as the process lives: the operating system lets go of it, so
 * it cannot outlive a crash. Error with the message `refusal`, within a second: another process
 * holds it.
 */
export function lockFolder(path: string, refusal = isServed(path)): FolderLock {
  const database = openLock(path, (opened) => takeWhole(opened, refusal));
  return {
    admitWorkers() {
      database.run("ROLLBACK");
      // Keeps out whoever wants to hold the folder too, and nobody who joins.
      if (!tries(database, "BEGIN IMMEDIATE", PATIENCE)) throw new Error(refusal);
    },
    release: () => letGo(database),
  };
}

/**
 * What each worker process of a server holds: while one of them lives, even without its server, no
 * other server gets the data folder. Error: there is one already.
 */
export function joinFolder(path: string): Pick<FolderLock, "release"> {
  const database = openLock(path, (opened) => {
    opened.run("BEGIN");
    if (!tries(opened, "SELECT count(*) FROM sqlite_schema", JOINING)) {
      throw new Error(isServed(path));
    }
  });
  return { release: () => letGo(database) };
}

function openLock(path: string, take: (database: Database) => void): Database {
  const database = new Database(lockIn(path), { readwrite: true, create: true });
  held.add(database);
  try {
    // Nothing is ever written here, so a journal would only need room that a full disk has not.
    // Where the file is locked this fails, and so will the taking.
    tries(database, "PRAGMA journal_mode = MEMORY", 0);
    take(database);
    return database;
  } catch (cause) {
    letGo(database);
    throw cause;
  }
}

function letGo(database: Database): void {
  held.delete(database);
  database.close();
}

function takeWhole(database: Database, refusal: string): void {
  const end = performance.now() + LEAVING;
  while (!tries(database, "BEGIN EXCLUSIVE", PATIENCE)) {
    // Where nobody else holds it, those who stay are workers that have lost their server.
    if (!tries(database, "BEGIN IMMEDIATE", PATIENCE / 3)) throw new Error(refusal);
    database.run("ROLLBACK");
    if (performance.now() > end) throw new Error(refusal);
  }
}

/** false: another process is in the way for longer than `patience` milliseconds. */
function tries(database: Database, sql: string, patience: number): boolean {
  database.run(`PRAGMA busy_timeout = ${patience}`);
  try {
    database.run(sql);
    return true;
  } catch (cause) {
    if (cause instanceof SQLiteError && cause.code === "SQLITE_BUSY") return false;
    throw cause;
  }
}

const lockIn = (path: string): string => join(path, "lock");

const isServed = (path: string): string =>
  `Another Holdall already serves the data folder ${path}. Stop it first, or choose another folder.`;
