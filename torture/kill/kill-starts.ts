import { join } from "node:path";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { createResultCounter } from "../result-counter.ts";
import { startAndKill } from "../server-process.ts";
import { readCalls, tracedStart } from "../tracer.ts";
import type { Row, Scale } from "../trial.ts";
import {
  blocksOf,
  describePoint,
  type KillPoint,
  killAt,
  pointsOf,
  recordAll,
} from "./kill-points.ts";
import { recover } from "./recover.ts";
import { retryMissedKill } from "./retry-missed-kill.ts";
import { withCopy } from "./seed.ts";
import type { Start } from "./start-seeds.ts";
import { tryPoints } from "./try-points.ts";

/** The sweep continues after the server has started serving. */
const SWEEP_MS = 500;

/** kill -9 at every system call of every kind of start, followed by another start. */
export async function killStarts(starts: readonly Start[], scale: Scale): Promise<Row[]> {
  const rows: Row[] = [];
  for (const start of starts) {
    const all = await record(start);
    const results = createResultCounter(`kill -9, ${start.name}`);
    const { tried, hit } = await tryPoints(all, scale.tries(all.length, 1), async (point) => {
      const what = describePoint(point);
      const { wasHit, recovery } = await retryMissedKill(() => killOnce(start, point));
      for (const problem of recovery.problems) results.problem(`${what}: ${problem}`);
      if (wasHit) results.count(what, recovery.findings);
      return wasHit;
    });
    rows.push(results.row(`${hit} of ${all.length} points hit`));
    scale.progress(`${start.name}: ${tried} points, ${tried - hit} not hit`);
  }
  return rows;
}

const record = (start: Start): Promise<KillPoint[]> =>
  traced(
    start,
    () => recordAll,
    async (dataPath, log) => pointsOf(readCalls(log), context(dataPath, start)),
  );

const killOnce = (start: Start, point: KillPoint) =>
  traced(
    start,
    (dataPath) => killAt(point, context(dataPath, start)),
    async (dataPath, _, wasHit) => ({
      wasHit,
      recovery: await recover(dataPath, [start.inventory], {
        env: { INITIAL_API_KEY: start.apiKey },
      }),
    }),
  );

const context = (dataPath: string, start: Start) => ({
  dataPath,
  blocks: blocksOf(start.dataPath ?? dataPath),
  leased: null,
});

/** Starts and kills a traced server, then runs `work` on its data folder. */
async function traced<Result>(
  start: Start,
  traceOptions: (dataPath: string) => readonly string[],
  work: (dataPath: string, log: string, wasHit: boolean) => Promise<Result>,
): Promise<Result> {
  const folder = temporaryFolder();
  const log = join(folder, "trace");
  try {
    return await withCopy(start.dataPath, async (dataPath) => {
      const options = {
        env: { INITIAL_API_KEY: start.apiKey },
        wrap: tracedStart(log, traceOptions(dataPath)),
      };
      const { endedItself } = await startAndKill(dataPath, options, SWEEP_MS);
      return await work(dataPath, log, endedItself);
    });
  } finally {
    removeFolder(folder);
  }
}
