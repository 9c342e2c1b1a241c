import type { Inventory } from "../inventory.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import { blocksOf, type PathContext, pathContextOf } from "./kill-points.ts";
import { warmUp } from "./operations.ts";
import { withCopy } from "./seed.ts";

interface AnySeed {
  readonly dataPath: string;
  readonly inventory: Inventory;
}

/**
 * Runs `work` with a server on a copy of the seed that has made its first writes; `warm` has what they
 * added.
 */
export async function withWarmServer<Seed extends AnySeed, Result>(
  seed: Seed,
  work: (server: ServerProcess, warm: Seed, context: PathContext) => Promise<Result>,
): Promise<Result> {
  return await withCopy(seed.dataPath, async (dataPath) => {
    const blocks = blocksOf(dataPath);
    const server = await startServer(dataPath);
    try {
      const inventory = await warmUp(server, seed.inventory);
      return await work(server, { ...seed, inventory }, pathContextOf(dataPath, blocks));
    } finally {
      await server.kill();
    }
  });
}
