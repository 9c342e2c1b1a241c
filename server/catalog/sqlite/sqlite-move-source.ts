import { existsSync, statSync } from "node:fs";
import { isUpToDate } from "../migrations/migrate.ts";
import { createMoveSource } from "../move/move-source.ts";
import type { MoveSource } from "../move-port.ts";
import { refusal } from "./check-file.ts";
import { openConnection, openToRead } from "./connection.ts";
import { createKysely, createStatementRunner } from "./kysely.ts";
import { tuneForReading } from "./tune.ts";

/**
 * The catalog in a file, which nobody else may have open for writing. Nothing is ever written to it.
 * Error: it is damaged, or not of this version.
 */
export async function openSqliteMoveSource(path: string): Promise<MoveSource> {
  // Who may write clears away at the end what SQLite puts beside the file, but also folds the log of
  // a server that was killed into the file.
  const connection = hasLog(path) ? openToRead(path) : openConnection(path);
  try {
    tuneForReading(connection);
    const db = createKysely(connection);
    if (!(await isUpToDate(db))) {
      throw new Error(
        `The catalog ${path} is of an older version of Holdall: start this one on it once, so that it is brought up to date.`,
      );
    }
    return await createMoveSource({
      db,
      ...createStatementRunner(connection, db),
      close: async () => connection.close(),
    });
  } catch (cause) {
    connection.close();
    throw refusal(cause, path);
  }
}

function hasLog(path: string): boolean {
  const log = `${path}-wal`;
  return existsSync(log) && statSync(log).size > 0;
}
