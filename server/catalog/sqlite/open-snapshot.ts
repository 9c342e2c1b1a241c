import type { Engine } from "../engine.ts";
import type { Snapshot } from "../port.ts";
import { createBlobLedger } from "../reads/ledger.ts";
import { createNames } from "../reads/names.ts";
import { totals } from "../reads/totals.ts";
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
    const engine: Pick<Engine, "db" | "first" | "all" | "change"> = {
      db,
      ...createStatementRunner(connection, db),
      change: () => Promise.reject(new Error("A snapshot cannot be changed.")),
    };
    const { fileById, folderByKey, listFiles, listFolders } = createNames(engine);
    const { blobsAfter, knownBlobs } = createBlobLedger(engine);
    return {
      fileById,
      folderByKey,
      listFiles,
      listFolders,
      blobsAfter,
      knownBlobs,
      total: () => totals(db),
      close: () => connection.close(),
    };
  } catch (cause) {
    connection.close();
    throw refusal(cause, path);
  }
}
