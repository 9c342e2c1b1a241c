import { startVictim, type Victim } from "../server.ts";
import { someOf } from "../some-of.ts";
import { createTally } from "../tally.ts";
import { attachTracer } from "../tracer.ts";
import type { Row, Scale } from "../trial.ts";
import { recover } from "./after-kill.ts";
import { hit } from "./hit.ts";
import { warm } from "./operations.ts";
import {
  blocksOf,
  describePoint,
  killAt,
  type Point,
  pointsOf,
  recordAll,
  sceneOf,
} from "./points.ts";
import { type Seed, withCopy } from "./seed.ts";

/** kill -9 at every call of a clean stop. */
export async function killStop(seed: Seed, scale: Scale): Promise<Row> {
  const all = await record(seed);
  const points = someOf(all, scale.tries(all.length, 1));
  const tally = createTally("kill -9, clean stop");
  let missed = 0;
  for (const point of points) {
    const what = describePoint(point);
    const { wasHit, recovery } = await hit(() => killOnce(seed, point));
    for (const problem of recovery.problems) tally.problem(`${what}: ${problem}`);
    if (wasHit) tally.count(what, recovery.findings);
    else missed += 1;
  }
  scale.progress(`clean stop: ${points.length} points, ${missed} not hit`);
  return tally.row(`${points.length - missed} of ${all.length} points hit`);
}

const record = (seed: Seed): Promise<Point[]> =>
  withStopping(seed, async (server, blocks) => {
    const scene = sceneOf(server.dataPath, blocks);
    const trace = await attachTracer(server.pid, recordAll);
    await server.stop();
    const points = pointsOf(trace.calls(), scene);
    await trace.detach();
    return points;
  });

const killOnce = (seed: Seed, point: Point) =>
  withStopping(seed, async (server, blocks, holdings) => {
    const scene = sceneOf(server.dataPath, blocks);
    const trace = await attachTracer(server.pid, killAt(point, scene));
    const wasHit = (await server.stop()) === null;
    await trace.detach();
    return { wasHit, recovery: await recover(server.dataPath, [holdings]) };
  });

async function withStopping<Result>(
  seed: Seed,
  work: (
    server: Victim,
    blocks: ReadonlySet<string>,
    holdings: Seed["holdings"],
  ) => Promise<Result>,
): Promise<Result> {
  return await withCopy(seed.dataPath, async (dataPath) => {
    const blocks = blocksOf(dataPath);
    const server = await startVictim(dataPath);
    try {
      return await work(server, blocks, await warm(server, seed.holdings));
    } finally {
      await server.kill();
    }
  });
}
