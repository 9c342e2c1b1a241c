import { dirname } from "node:path";
import { type Kysely, sql } from "kysely";
import { CLOSED, RELEASED } from "../blobs/leases.ts";
import type { CatalogEvent } from "../driver.ts";
import type { Schema } from "../engine/schema.ts";
import { isEmpty, isUpToDate, migrate } from "../migrations/migrate.ts";
import type { ColumnTypes, FilledColumn } from "../migrations/migration.ts";
import { CLI_LEASE_PREFIX } from "../port/blob-ledger.ts";
import { checkFile } from "./check-file.ts";
import { configureForWriting } from "./configure.ts";
import { openConnection, truncateLog } from "./connection.ts";
import { countCredentialChanges } from "./credential-version.ts";
import { type FolderLock, holdsFolder, lockFolder } from "./folder-lock.ts";
import { createKysely } from "./kysely.ts";
import { beginImmediate } from "./retry-while-busy.ts";
import { explainDamage } from "./sqlite-fault.ts";

export const types: ColumnTypes = {
  text: sql`text`,
  integer: sql`integer`,
  tableEnd: sql`strict`,
  indexKeys: async () => {},
  addFilledColumn,
  // One transaction writes at a time, so the numbers are in the order of the commits. The newest
  // entry is never removed, so no number is given twice.
  feedNumber: (column) => column.notNull().primaryKey(),
  orderFeed: async () => {},
  countCredentialChanges,
};

/** SQLite drops the default of a column since 3.53, but in macOS, Bun uses the SQLite of the system. */
async function addFilledColumn(...[db, table, column, batches]: Parameters<FilledColumn>) {
  await db.schema
    .alterTable(table)
    .addColumn(column, types.text, (added) => added.notNull().defaultTo(""))
    .execute();
  for await (const pairs of batches) {
    // One parameter: with two for each row, the statement takes ten times as long.
    const json = JSON.stringify(Object.fromEntries(pairs));
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = pairs.value
      from json_each(${json}) as pairs where ${sql.table(table)}.id = pairs.key`.execute(db);
  }
}

/**
 * Creates the file if missing, checks it for damage as far as that is quick, and runs the schema
 * migrations. Error: damaged, not a catalog, or written by a newer version; or a server of an older
 * version serves it now.
 */
export async function prepareFile(
  path: string,
  exclusive: boolean,
  log: (event: CatalogEvent) => void,
): Promise<void> {
  const connection = openConnection(path);
  try {
    await configureForWriting(connection);
    if (exclusive && !checkFile(connection)) log({ event: "not checked" });
    const db = createKysely(connection);
    if (!(await isUpToDate(db))) {
      const lock = exclusive || (await isEmpty(db)) ? undefined : lockAgainstServers(dirname(path));
      try {
        await beginImmediate(connection);
        const versions = await migrate(db, types);
        connection.run("COMMIT");
        for (const version of versions) log({ event: "migrated", version });
      } finally {
        lock?.release();
      }
    }
    // The server that held a lease before this start is dead: it has lost the data folder.
    if (exclusive) {
      await beginImmediate(connection);
      await releaseServerLeases(db);
      connection.run("COMMIT");
      truncateLog(connection);
    }
  } catch (cause) {
    throw explainDamage(cause, path);
  } finally {
    connection.close();
  }
}

/**
 * Migrations must not change tables that a server of an older version has open. Undefined if this
 * process has locked the folder. Error: a server has.
 */
function lockAgainstServers(folder: string): FolderLock | undefined {
  if (holdsFolder(folder)) return undefined;
  return lockFolder(
    folder,
    `A server of an older version serves ${folder}. Stop it first, or run the program of its version.`,
  );
}

async function releaseServerLeases(db: Kysely<Schema>): Promise<void> {
  await db
    .updateTable("blob_leases")
    .set({ owner: RELEASED })
    .where("owner", "not in", [RELEASED, CLOSED])
    .where("owner", "not like", `${CLI_LEASE_PREFIX}%`)
    .execute();
  await db
    .updateTable("uploads")
    .set({ writer: null })
    .where("writer", "is not", null)
    .where("writer", "not like", `${CLI_LEASE_PREFIX}%`)
    .execute();
  // Only servers write parts in place.
  await db.deleteFrom("multipart_parts").where("state", "=", "writing").execute();
}
