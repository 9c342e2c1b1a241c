import { join } from "node:path";
import { removeFolder, temporaryFolder } from "../test/harness.ts";
import { leftoversInTheEnd } from "./check.ts";
import { createAnonymousFailureAggregator } from "./crowd.ts";
import { descriptorsOf, residentOf } from "./process-state.ts";
import { startVictim, type Victim } from "./server.ts";
import { lowsOf, type Sample, trendOf } from "./trend.ts";
import type { Row, Scale, Trial } from "./trial.ts";

/** Mixed work for half an hour: memory and descriptors stay what they were. */
export const soak: Trial = {
  name: "soak",
  async run(scale) {
    const folder = temporaryFolder();
    const server = await startVictim(join(folder, "data"));
    try {
      return [await workAndWatch(server, scale)];
    } finally {
      await server.kill();
      removeFolder(folder);
    }
  },
};

const AT_ONCE = 16;
/**
 * Memory may grow by so much over the last two thirds of the time, in MB. A short run is over before
 * the runtime has compiled what it runs often and found its rhythm of collecting.
 */
const MOST_GROWTH = { whole: 10, short: 60 } as const;
/** The time is looked at in so many stretches. */
const STRETCHES = 30;
/** Connections are closed and the collector has had its turn after this long. */
const REST_MS = 4_000;

async function workAndWatch(server: Victim, scale: Scale): Promise<Row> {
  const seconds = scale.tries(30 * 60, 20);
  const crowd = createAnonymousFailureAggregator(server);
  // What the first requests open for good is no leak.
  await crowd.work(AT_ONCE, 2);
  await Bun.sleep(REST_MS);
  const before = descriptorsOf(server.pid);

  const samples: Sample[] = [];
  const from = performance.now();
  const look = () => {
    const at = (performance.now() - from) / 1000;
    samples.push({ at, value: residentOf(server.pid) });
    if (samples.length % 100 === 0)
      scale.progress(`${Math.round(at)} s, ${Math.round(samples.at(-1)?.value ?? 0)} MB`);
  };
  const watch = setInterval(look, Math.max(100, seconds * 2));
  await crowd.work(AT_ONCE, seconds).finally(() => clearInterval(watch));
  await Bun.sleep(REST_MS);
  const [descriptors, atRest] = [descriptorsOf(server.pid), residentOf(server.pid)];
  const left = await leftoversInTheEnd(server.dataPath);

  // What the collector has yet to collect is no leak, so the lows tell.
  const lows = lowsOf(samples, seconds / STRETCHES);
  const settled = lows.filter(({ at }) => at > seconds / 3);
  const { slope, scatter } = trendOf(settled);
  const growth = slope * ((seconds * 2) / 3);
  const half = trendOf(lows.filter(({ at }) => at > seconds / 2)).slope * 60;
  const problems = [...left, ...crowd.problems];
  // Less than the samples differ among themselves is no growth.
  const most = scale.tries(MOST_GROWTH.whole, MOST_GROWTH.short);
  if (growth > Math.max(most, scatter))
    problems.push(`Memory grew by ${growth.toFixed(1)} MB in the last two thirds.`);
  return {
    fault: `mixed work for ${seconds} s`,
    tries: crowd.requests,
    lost: crowd.lost,
    leftovers: left.length + Math.max(0, descriptors - before),
    problems: problems.slice(0, 20),
    note: `lows of memory ${half >= 0 ? "+" : ""}${half.toFixed(2)} MB a minute in the second half, ${growth.toFixed(1)} ± ${scatter.toFixed(1)} MB in the last two thirds, ${Math.round(samples[0]?.value ?? 0)} → ${Math.round(samples.at(-1)?.value ?? 0)} → at rest ${Math.round(atRest)} MB; descriptors ${before} → ${descriptors}`,
  };
}
