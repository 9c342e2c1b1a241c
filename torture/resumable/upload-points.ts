import {
  blocksOf,
  type KillPoint,
  type PathContext,
  pathContextOf,
  pointsOf,
  recordAll,
} from "../kill/kill-points.ts";
import { warmUp } from "../kill/operations.ts";
import { withCopy } from "../kill/seed.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import { attachTracer } from "../tracer.ts";
import type { Scenario } from "./scenarios.ts";
import type { UploadSeed } from "./seed.ts";

/** By then the work after the response, such as the removal of blobs, is done. */
export const AFTERMATH_MS = 400;

/** Every system call that changes a file during the request of a scenario. */
export async function recordPoints(seed: UploadSeed, scenario: Scenario): Promise<KillPoint[]> {
  return await withUploadServer(seed, async (server, _, context) => {
    const trace = await attachTracer(server.pid, recordAll);
    const { status, text } = await scenario.act(server, seed);
    if (status !== scenario.status) throw new Error(`${scenario.name}: ${status} ${text}`);
    await Bun.sleep(AFTERMATH_MS);
    const points = pointsOf(trace.calls(), context);
    await trace.detach();
    if (points.length === 0) throw new Error(`${scenario.name} changed no file.`);
    return points;
  });
}

/**
 * Runs `work` with a server on a copy of the seed that has made its first writes; `warm` has what they
 * added.
 */
export async function withUploadServer<Result>(
  seed: UploadSeed,
  work: (server: ServerProcess, warm: UploadSeed, context: PathContext) => Promise<Result>,
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
