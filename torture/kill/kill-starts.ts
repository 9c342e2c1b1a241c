import { join } from "node:path";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { startAndLose } from "../server.ts";
import { someOf } from "../some-of.ts";
import { createTally } from "../tally.ts";
import { readCalls, tracedStart } from "../tracer.ts";
import type { Row, Scale } from "../trial.ts";
import { recover } from "./after-kill.ts";
import { hit } from "./hit.ts";
import { blocksOf, describePoint, killAt, type Point, pointsOf, recordAll } from "./points.ts";
import { withCopy } from "./seed.ts";
import type { Start } from "./start-seeds.ts";

/** The sweep goes on after the server has begun to serve. */
const SWEEP_MS = 500;

/** kill -9 at every call of every kind of start, and another start after it. */
export async function killStarts(starts: readonly Start[], scale: Scale): Promise<Row[]> {
  const rows: Row[] = [];
  for (const start of starts) {
    const all = await record(start);
    const points = someOf(all, scale.tries(all.length, 1));
    const tally = createTally(`kill -9, ${start.name}`);
    let missed = 0;
    for (const point of points) {
      const what = describePoint(point);
      const { wasHit, recovery } = await hit(() => killOnce(start, point));
      for (const problem of recovery.problems) tally.problem(`${what}: ${problem}`);
      if (wasHit) tally.count(what, recovery.findings);
      else missed += 1;
    }
    rows.push(tally.row(`${points.length - missed} of ${all.length} points hit`));
    scale.progress(`${start.name}: ${points.length} points, ${missed} not hit`);
  }
  return rows;
}

const record = (start: Start): Promise<Point[]> =>
  traced(
    start,
    () => recordAll,
    async (dataPath, log) => pointsOf(readCalls(log), scene(dataPath, start)),
  );

const killOnce = (start: Start, point: Point) =>
  traced(
    start,
    (dataPath) => killAt(point, scene(dataPath, start)),
    async (dataPath, _, wasHit) => ({
      wasHit,
      recovery: await recover(dataPath, [start.holdings], {
        env: { INITIAL_API_KEY: start.apiKey },
      }),
    }),
  );

const scene = (dataPath: string, start: Start) => ({
  dataPath,
  blocks: blocksOf(start.dataPath ?? dataPath),
  leased: null,
});

/** Starts and loses a server under the tracer, then does `work` with what is left of it. */
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
      const { endedItself } = await startAndLose(dataPath, options, SWEEP_MS);
      return await work(dataPath, log, endedItself);
    });
  } finally {
    removeFolder(folder);
  }
}
