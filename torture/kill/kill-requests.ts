import type { Inventory } from "../inventory.ts";
import { createResultCounter } from "../result-counter.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import { attachTracer, type Trace } from "../tracer.ts";
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
import { type Operation, operations, warmUp } from "./operations.ts";
import { recover } from "./recover.ts";
import { retryMissedKill } from "./retry-missed-kill.ts";
import { type Seed, withCopy } from "./seed.ts";
import { tryPoints } from "./try-points.ts";

/** By then the work after the response, such as the removal of blobs, is done. */
const AFTERMATH_MS = 400;

/** kill -9 at every system call of every request that changes something. */
export async function killRequests(seed: Seed, scale: Scale): Promise<Row[]> {
  const rows: Row[] = [];
  for (const operation of operations) {
    const all = await record(seed, operation);
    const results = createResultCounter(`kill -9, ${operation.name}`);
    const { tried, hit } = await tryPoints(all, scale.tries(all.length, 1), async (point) => {
      const what = describePoint(point);
      const { wasHit, outcome, recovery } = await retryMissedKill(() =>
        killOnce(seed, operation, point),
      );
      if (outcome.status !== null && outcome.status !== 200) {
        results.problem(`${what}: the response was ${outcome.status} ${outcome.text}`);
      }
      for (const problem of recovery.problems) results.problem(`${what}: ${problem}`);
      if (wasHit) results.count(what, recovery.findings);
      return wasHit;
    });
    rows.push(results.row(`${hit} of ${all.length} points hit`));
    scale.progress(`${operation.name}: ${tried} points, ${tried - hit} not hit`);
  }
  return rows;
}

async function record(seed: Seed, operation: Operation): Promise<KillPoint[]> {
  return await withServer(seed, operation, async (server, before, blocks) => {
    const context = pathContextOf(server.dataPath, blocks);
    const trace = await attachTracer(server.pid, recordAll);
    const answer = await operation.act(server, before);
    if (answer.status !== 200)
      throw new Error(`${operation.name}: ${answer.status} ${answer.text}`);
    await Bun.sleep(AFTERMATH_MS);
    const points = pointsOf(trace.calls(), context);
    await trace.detach();
    if (points.length === 0) throw new Error(`${operation.name} changed no file.`);
    return points;
  });
}

interface Outcome {
  /** null: no response. */
  readonly status: number | null;
  readonly text: string;
}

async function killOnce(seed: Seed, operation: Operation, point: KillPoint) {
  return await withServer(seed, operation, async (server, before, blocks) => {
    const context = pathContextOf(server.dataPath, blocks);
    const trace = await attachTracer(server.pid, killAt(point, context));
    const outcome = await operation.act(server, before).then(
      ({ status, text }): Outcome => ({ status, text }),
      (): Outcome => ({ status: null, text: "" }),
    );
    const wasHit = await endsWithin(server, outcome.status === null ? 2_000 : AFTERMATH_MS);
    await stopTracing(server, trace);
    const after = operation.after(before);
    // Without a response, the request was executed completely or not at all.
    const expectedStates = outcome.status === 200 ? [after] : [before, after];
    return { wasHit, outcome, recovery: await recover(server.dataPath, expectedStates) };
  });
}

async function stopTracing(server: ServerProcess, trace: Trace): Promise<void> {
  await server.kill();
  await trace.detach();
}

const endsWithin = (server: ServerProcess, limit: number): Promise<boolean> =>
  Promise.race([server.exited.then(() => true), Bun.sleep(limit).then(() => false)]);

async function withServer<Result>(
  seed: Seed,
  operation: Operation,
  work: (server: ServerProcess, before: Inventory, blocks: ReadonlySet<string>) => Promise<Result>,
): Promise<Result> {
  return await withCopy(seed.dataPath, async (dataPath) => {
    const blocks = blocksOf(dataPath);
    const server = await startServer(dataPath);
    try {
      const before = operation.warmUp ? await warmUp(server, seed.inventory) : seed.inventory;
      return await work(server, before, blocks);
    } finally {
      await server.kill();
    }
  });
}
