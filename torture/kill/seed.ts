import { cpSync } from "node:fs";
import { join } from "node:path";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { emptyInventory, type Inventory } from "../inventory.ts";
import { startServer } from "../server-process.ts";
import { upload, withAnswer } from "../uploads.ts";
import { seeds } from "./operations.ts";

/** A data folder to begin with, and what is in it. */
export interface Seed {
  readonly dataPath: string;
  readonly holdings: Inventory;
}

/** The data folder of a server that held some files and was stopped. */
export async function makeSeed(folder: string): Promise<Seed> {
  const dataPath = join(folder, "seed");
  const server = await startServer(dataPath);
  let holdings = emptyInventory;
  for (const bundle of seeds) {
    holdings = withAnswer(holdings, bundle, await upload(server, bundle));
  }
  await server.stop();
  return { dataPath, holdings };
}

/** Runs `work` on a data folder of its own: a copy, or one that is not there yet. */
export async function withCopy<Result>(
  of: string | null,
  work: (dataPath: string) => Promise<Result>,
): Promise<Result> {
  const folder = temporaryFolder();
  const dataPath = join(folder, "data");
  try {
    if (of !== null) cpSync(of, dataPath, { recursive: true });
    return await work(dataPath);
  } finally {
    removeFolder(folder);
  }
}
