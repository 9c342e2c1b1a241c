import { dirname } from "node:path";
import type { Kysely } from "kysely";
import { sql } from "kysely";
import { RELEASED } from "../changes/leases.ts";
import { isEmpty, isUpToDate, migrate } from "../migrations/migrate.ts";
import type { ColumnTypes } from "../migrations/migration.ts";
import { CLI_LEASE_PREFIX } from "../port.ts";
import type { Schema } from "../schema.ts";
import { begin } from "./begin.ts";
import type { CatalogEvent } from "./catalog-event.ts";
import { checkFile, refusal } from "./check-file.ts";
import { openConnection } from "./connection.ts";
import { type FolderLock, holdsFolder, lockFolder } from "./folder-lock.ts";
import { createKysely } from "./kysely.ts";
import { tuneForWriting } from "./tune.ts";

export const types: ColumnTypes = {
  text: sql`text`,
  integer: sql`integer`,
  tableEnd: sql`strict`,
  indexKeys: async () => {},
};

/**
 * Makes the file ready for use: created, undamaged as far as can be told quickly, and with the
 * tables of this version. Error: damaged, not a catalog, or written by a newer version; or by an
 * older one that serves it now.
 */
export async function prepareFile(
  path: string,
  exclusive: boolean,
  log: (event: CatalogEvent) => void,
): Promise<void> {
  const connection = openConnection(path);
  try {
    await tuneForWriting(connection);
    if (exclusive && !checkFile(connection)) log({ event: "not checked" });
    const db = createKysely(connection);
    if (!(await isUpToDate(db))) {
      const lock = exclusive || (await isEmpty(db)) ? undefined : lockUnlessHeld(dirname(path));
      try {
        await begin(connection);
        const versions = await migrate(db, types);
        connection.run("COMMIT");
        for (const version of versions) log({ event: "migrated", version });
      } finally {
        lock?.release();
      }
    }
    // Whichever server held a lease before this start is dead: nobody else has the data folder.
    if (exclusive) {
      await begin(connection);
      await disown(db);
      connection.run("COMMIT");
    }
  } catch (cause) {
    throw refusal(cause, path);
  } finally {
    connection.close();
  }
}

/**
 * So that no server of an older version finds tables changed that it has open. Undefined where this
 * process holds the folder. Error: a server does.
 */
function lockUnlessHeld(folder: string): FolderLock | undefined {
  if (holdsFolder(folder)) return undefined;
  return lockFolder(
    folder,
    `A server that is older than this program serves ${folder}. Stop it first, or run the program of its version.`,
  );
}

async function disown(db: Kysely<Schema>): Promise<void> {
  await db
    .updateTable("blob_leases")
    .set({ owner: RELEASED })
    .where("owner", "<>", RELEASED)
    .where("owner", "not like", `${CLI_LEASE_PREFIX}%`)
    .execute();
}
