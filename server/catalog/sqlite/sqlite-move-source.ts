import { existsSync, statSync } from "node:fs";
import { isUpToDate } from "../migrations/migrate.ts";
import { createMoveSource } from "../move/move-source.ts";
import type { MoveSource } from "../move-port.ts";
import { configureForReading } from "./configure.ts";
import { openConnection, openToRead } from "./connection.ts";
import { findLogDamage } from "./find-log-damage.ts";
import { createKysely, createStatementRunner } from "./kysely.ts";
import { explainDamage } from "./sqlite-fault.ts";

/**
 * The catalog in a file, which no other process may have open for writing. It is never written to.
 * `repair` is the command that repairs the instance. Error: it or its log is damaged, or it is not of this version.
 */
export async function openSqliteMoveSource(path: string, repair: string): Promise<MoveSource> {
  const damage = findLogDamage(path);
  if (damage !== undefined) {
    throw new Error(
      `The log ${path}-wal is damaged: ${damage}. Start the server once, which keeps what is left, run \`${repair}\`, and then migrate.`,
    );
  }
  // A connection that may write removes SQLite's side files when it closes, but it also writes the
  // log of a server that was killed into the file.
  const connection = hasLog(path) ? openToRead(path) : openConnection(path);
  try {
    configureForReading(connection);
    const db = createKysely(connection);
    if (!(await isUpToDate(db))) {
      throw new Error(
        `The catalog ${path} was written by an older version of Holdall: start this version on it once to upgrade it.`,
      );
    }
    return await createMoveSource({
      db,
      ...createStatementRunner(connection, db),
      close: async () => connection.close(),
    });
  } catch (cause) {
    connection.close();
    throw explainDamage(cause, path);
  }
}

function hasLog(path: string): boolean {
  const log = `${path}-wal`;
  return existsSync(log) && statSync(log).size > 0;
}
