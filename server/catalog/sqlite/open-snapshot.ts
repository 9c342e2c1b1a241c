import type { Snapshot } from "../port.ts";
import { createBlobQueries } from "../queries/blobs.ts";
import { createFileQueries } from "../queries/files-and-folders.ts";
import { totals } from "../queries/totals.ts";
import { refusal } from "./check-file.ts";
import { openToRead } from "./connection.ts";
import { createKysely, createStatementRunner } from "./kysely.ts";
import { tuneForReading } from "./tune.ts";

/** A file that `takeSnapshot` has made. Error: it is none, or it is damaged. */
export async function openSnapshot(path: string): Promise<Snapshot> {
  const connection = openToRead(path);
  try {
    tuneForReading(connection);
    const db = createKysely(connection);
    const runner = createStatementRunner(connection, db);
    return {
      ...createFileQueries({ db, ...runner }),
      ...createBlobQueries({ db }),
      total: () => totals(db),
      close: () => connection.close(),
    };
  } catch (cause) {
    connection.close();
    throw refusal(cause, path);
  }
}
