import { createBlobQueries } from "../blobs/blobs.ts";
import { totals } from "../blobs/totals.ts";
import { createFileQueries } from "../files-and-folders.ts";
import type { Snapshot } from "../port/catalog.ts";
import { explainDamage } from "./check-file.ts";
import { configureForReading } from "./configure.ts";
import { openToRead } from "./connection.ts";
import { createKysely, createStatementRunner } from "./kysely.ts";

/** Opens a file made by `takeSnapshot`. Error: it is not one, or it is damaged. */
export async function openSnapshot(path: string): Promise<Snapshot> {
  const connection = openToRead(path);
  try {
    configureForReading(connection);
    const db = createKysely(connection);
    const runner = createStatementRunner(connection, db);
    return {
      ...createFileQueries({ db, ...runner, now: Date.now }),
      ...createBlobQueries({ db }),
      total: () => totals(db),
      close: () => connection.close(),
    };
  } catch (cause) {
    connection.close();
    throw explainDamage(cause, path);
  }
}
