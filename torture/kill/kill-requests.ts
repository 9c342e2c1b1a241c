import type { Holdings } from "../holdings.ts";
import { startVictim, type Victim } from "../server.ts";
import { someOf } from "../some-of.ts";
import { createTally } from "../tally.ts";
import { attachTracer, type Trace } from "../tracer.ts";
import type { Row, Scale } from "../trial.ts";
import { recover } from "./after-kill.ts";
import { hit } from "./hit.ts";
import { type Operation, operations, warm } from "./operations.ts";
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

/** What goes on after the answer, such as the note that bytes are gone, is over by then. */
const AFTERMATH_MS = 400;

/** kill -9 at every call of every request that changes something. */
export async function killRequests(seed: Seed, scale: Scale): Promise<Row[]> {
  const rows: Row[] = [];
  for (const operation of operations) {
    const all = await record(seed, operation);
    const points = someOf(all, scale.tries(all.length, 1));
    const tally = createTally(`kill -9, ${operation.name}`);
    let missed = 0;
    for (const point of points) {
      const what = describePoint(point);
      const { wasHit, outcome, recovery } = await hit(() => killOnce(seed, operation, point));
      if (outcome.status !== null && outcome.status !== 200) {
        tally.problem(`${what}: the answer was ${outcome.status} ${outcome.text}`);
      }
      for (const problem of recovery.problems) tally.problem(`${what}: ${problem}`);
      if (wasHit) tally.count(what, recovery.findings);
      else missed += 1;
    }
    rows.push(tally.row(`${points.length - missed} of ${all.length} points hit`));
    scale.progress(`${operation.name}: ${points.length} points, ${missed} not hit`);
  }
  return rows;
}

async function record(seed: Seed, operation: Operation): Promise<Point[]> {
  return await withVictim(seed, operation, async (server, before, blocks) => {
    const scene = sceneOf(server.dataPath, blocks);
    const trace = await attachTracer(server.pid, recordAll);
    const answer = await operation.act(server, before);
    if (answer.status !== 200)
      throw new Error(`${operation.name}: ${answer.status} ${answer.text}`);
    await Bun.sleep(AFTERMATH_MS);
    const points = pointsOf(trace.calls(), scene);
    await trace.detach();
    if (points.length === 0) throw new Error(`${operation.name} changed no file.`);
    return points;
  });
}

interface Outcome {
  /** null: no answer came. */
  readonly status: number | null;
  readonly text: string;
}

async function killOnce(seed: Seed, operation: Operation, point: Point) {
  return await withVictim(seed, operation, async (server, before, blocks) => {
    const scene = sceneOf(server.dataPath, blocks);
    const trace = await attachTracer(server.pid, killAt(point, scene));
    const outcome = await operation.act(server, before).then(
      ({ status, text }): Outcome => ({ status, text }),
      (): Outcome => ({ status: null, text: "" }),
    );
    const wasHit = await endsWithin(server, outcome.status === null ? 2_000 : AFTERMATH_MS);
    await letGo(server, trace);
    const after = operation.after(before);
    // An answer is a promise; without one, the request was carried out whole or not at all.
    const promises = outcome.status === 200 ? [after] : [before, after];
    return { wasHit, outcome, recovery: await recover(server.dataPath, promises) };
  });
}

async function letGo(server: Victim, trace: Trace): Promise<void> {
  await server.kill();
  await trace.detach();
}

const endsWithin = (server: Victim, limit: number): Promise<boolean> =>
  Promise.race([server.exited.then(() => true), Bun.sleep(limit).then(() => false)]);

async function withVictim<Result>(
  seed: Seed,
  operation: Operation,
  work: (server: Victim, before: Holdings, blocks: ReadonlySet<string>) => Promise<Result>,
): Promise<Result> {
  return await withCopy(seed.dataPath, async (dataPath) => {
    const blocks = blocksOf(dataPath);
    const server = await startVictim(dataPath);
    try {
      const before = operation.warm ? await warm(server, seed.holdings) : seed.holdings;
      return await work(server, before, blocks);
    } finally {
      await server.kill();
    }
  });
}
