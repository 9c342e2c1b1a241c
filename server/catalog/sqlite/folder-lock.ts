import { Database, SQLiteError } from "bun:sqlite";
import { join } from "node:path";

export interface FolderLock {
  release(): void;
}

/** Two that start at the same instant may both find the lock half taken: one has it after this long. */
const PATIENCE = 300;

/** Kept here: a connection that nobody refers to any more is closed, and its lock gone. */
const held = new Set<Database>();

/**
 * Holds the data folder for as long as the process lives: the operating system lets go of it, so
 * it cannot outlive a crash. Error with the message `refusal`, within a second: another process
 * holds it.
 */
export function lockFolder(path: string, refusal = isServed(path)): FolderLock {
  const database = new Database(join(path, "lock"), { readwrite: true, create: true });
  try {
    database.run(`PRAGMA busy_timeout = ${PATIENCE}`);
    // Nothing is ever written here, so a journal would only need room that a full disk has not.
    database.run("PRAGMA journal_mode = MEMORY");
    database.run("BEGIN EXCLUSIVE");
  } catch (cause) {
    database.close();
    if (cause instanceof SQLiteError && cause.code === "SQLITE_BUSY") {
      throw new Error(refusal);
    }
    throw cause;
  }
  held.add(database);
  return {
    release() {
      held.delete(database);
      database.close();
    },
  };
}

const isServed = (path: string): string =>
  `Another Holdall already serves the data folder ${path}. Stop it first, or choose another folder.`;
