import { cpSync } from "node:fs";
import { join } from "node:path";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { emptyInventory, type Inventory } from "../inventory.ts";
import { startServer } from "../server-process.ts";
import { upload, withAnswer } from "../uploads.ts";
import { seedBundles } from "./operations.ts";

/** A data folder to start from, and its contents. */
export interface Seed {
  readonly dataPath: string;
  readonly inventory: Inventory;
}

/** Creates the data folder of a stopped server with some files. */
export async function makeSeed(folder: string): Promise<Seed> {
  const dataPath = join(folder, "seed");
  const server = await startServer(dataPath);
  let inventory = emptyInventory;
  for (const bundle of seedBundles) {
    inventory = withAnswer(inventory, bundle, await upload(server, bundle));
  }
  await server.stop();
  return { dataPath, inventory };
}

/** Runs `work` on a copy of a data folder, or on a path that does not exist yet (null). */
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
