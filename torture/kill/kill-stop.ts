import { createResultCounter } from "../result-counter.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import { attachTracer } from "../tracer.ts";
import type { Row, Scale } from "../trial.ts";
import {
  blocksOf,
  describePoint,
  type KillPoint,
  killAt,
  pathContextOf,
  pointsOf,
  recordAll,
} from "./kill-points.ts";
import { warmUp } from "./operations.ts";
import { recover } from "./recover.ts";
import { retryMissedKill } from "./retry-missed-kill.ts";
import { type Seed, withCopy } from "./seed.ts";
import { tryPoints } from "./try-points.ts";

/** kill -9 at every system call of a clean stop. */
export async function killStop(seed: Seed, scale: Scale): Promise<Row> {
  const all = await record(seed);
  const results = createResultCounter("kill -9, clean stop");
  const { tried, hit } = await tryPoints(all, scale.tries(all.length, 1), async (point) => {
    const what = describePoint(point);
    const { wasHit, recovery } = await retryMissedKill(() => killOnce(seed, point));
    for (const problem of recovery.problems) results.problem(`${what}: ${problem}`);
    if (wasHit) results.count(what, recovery.findings);
    return wasHit;
  });
  scale.progress(`clean stop: ${tried} points, ${tried - hit} not hit`);
  return results.row(`${hit} of ${all.length} points hit`);
}

const record = (seed: Seed): Promise<KillPoint[]> =>
  withStopping(seed, async (server, blocks) => {
    const context = pathContextOf(server.dataPath, blocks);
    const trace = await attachTracer(server.pid, recordAll);
    await server.stop();
    const points = pointsOf(trace.calls(), context);
    await trace.detach();
    return points;
  });

const killOnce = (seed: Seed, point: KillPoint) =>
  withStopping(seed, async (server, blocks, inventory) => {
    const context = pathContextOf(server.dataPath, blocks);
    const trace = await attachTracer(server.pid, killAt(point, context));
    const wasHit = (await server.stop()) === null;
    await trace.detach();
    return { wasHit, recovery: await recover(server.dataPath, [inventory]) };
  });

async function withStopping<Result>(
  seed: Seed,
  work: (
    server: ServerProcess,
    blocks: ReadonlySet<string>,
    inventory: Seed["inventory"],
  ) => Promise<Result>,
): Promise<Result> {
  return await withCopy(seed.dataPath, async (dataPath) => {
    const blocks = blocksOf(dataPath);
    const server = await startServer(dataPath);
    try {
      return await work(server, blocks, await warmUp(server, seed.inventory));
    } finally {
      await server.kill();
    }
  });
}
