import { closeSync, openSync, rmSync } from "node:fs";
import { fsyncFileSync } from "../../fs/fsync.ts";
import { migrate } from "../migrations/migrate.ts";
import { columnsOf, insertText, valuesOf } from "../move/insert-text.ts";
import { createCatalogRows } from "../move/read-rows.ts";
import { type CatalogRows, type MoveDestination, PERSISTENT_TABLES } from "../move-port.ts";
import { openConnection, openToRead, type SqliteConnection } from "./connection.ts";
import { createKysely } from "./kysely.ts";
import { types } from "./prepare-file.ts";

/** Kibibytes. So large that each page of an index that fills in random order is written once. */
const CACHE = 64 * 1024;

/** The catalog of an instance that is moved here, built in the file at `path`, which is replaced. */
export function createSqliteDestination(path: string): MoveDestination {
  let reader: SqliteConnection | undefined;

  function openReader(): SqliteConnection {
    reader ??= openToRead(path);
    return reader;
  }

  function closeReader(): void {
    reader?.close();
    reader = undefined;
  }

  return {
    async fill(source) {
      closeReader();
      rmSync(path, { force: true });
      // Created first, so that only its owner may read it.
      closeSync(openSync(path, "wx", 0o600));
      const connection = openConnection(path);
      try {
        await fillFile(connection, source);
      } finally {
        connection.close();
      }
      fsyncFileSync(path);
    },
    rows: (table) => createCatalogRows(createKysely(openReader())).rows(table),
    close: async () => closeReader(),
  };
}

/** An incomplete file is useless, so these changes need no journal. */
async function fillFile(connection: SqliteConnection, source: CatalogRows): Promise<void> {
  connection.run("PRAGMA journal_mode = OFF");
  connection.run("PRAGMA synchronous = OFF");
  connection.run(`PRAGMA cache_size = -${CACHE}`);
  connection.run("BEGIN IMMEDIATE");
  await migrate(createKysely(connection), types);
  connection.run("DELETE FROM folders");
  for (const table of PERSISTENT_TABLES) {
    for await (const rows of source.rows(table)) {
      const columns = columnsOf(rows);
      const insert = connection.prepare(insertText(table, columns, 1, () => "?"));
      for (const row of rows) insert.run(valuesOf(row, columns));
    }
  }
  connection.run("COMMIT");
  const [dangling] = connection.prepare("PRAGMA foreign_key_check").all([]);
  if (dangling !== undefined) {
    throw new Error(
      `A row refers to one that does not exist: ${JSON.stringify(dangling)}. Run verify.`,
    );
  }
}
