import { type Failure, fromFailure } from "../../domain/faults/failure.ts";
import { createBlobQueries } from "../blobs/blobs.ts";
import { totals } from "../blobs/totals.ts";
import { createFileQueries } from "../files-and-folders.ts";
import { isUpToDate } from "../migrations/migrate.ts";
import type { Snapshot } from "../port/catalog.ts";
import { checkpointFile } from "./checkpoint-file.ts";
import { configureForReading } from "./configure.ts";
import { openToRead } from "./connection.ts";
import { createKysely, createStatementRunner } from "./kysely.ts";
import { prepareFile } from "./prepare-file.ts";
import { explainDamage } from "./sqlite-fault.ts";

/**
 * Opens a file made by `takeSnapshot`, and upgrades one that an older version made. Error: it is not one, it is
 * damaged, or a newer version made it.
 */
export async function openSnapshot(path: string): Promise<Snapshot> {
  await upgrade(path);
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

async function upgrade(path: string): Promise<void> {
  if (await hasThisVersion(path)) return;
  await prepareFile(path, false, () => {});
  // One file again, which can be renamed.
  checkpointFile(path);
}

async function hasThisVersion(path: string): Promise<boolean> {
  const connection = openToRead(path);
  try {
    return await isUpToDate(createKysely(connection));
  } catch (cause) {
    throw explainDamage(cause, path);
  } finally {
    connection.close();
  }
}

/**
 * Copies the catalog `from`, which may be in use, as of one moment into the file `to`, which is
 * replaced. When it resolves, the copy survives a power cut. Fault "no_space".
 */
export async function takeSnapshot(from: string, to: string): Promise<void> {
  const thread = new Worker(new URL("./snapshot-thread.ts", import.meta.url));
  try {
    await new Promise<void>((resolve, reject) => {
      thread.addEventListener("message", ({ data }: MessageEvent<Failure | null>) => {
        if (data === null) resolve();
        else reject(fromFailure(data));
      });
      thread.addEventListener("error", (event) => reject(new Error(event.message)));
      thread.postMessage({ from, to });
    });
  } finally {
    thread.terminate();
  }
}
