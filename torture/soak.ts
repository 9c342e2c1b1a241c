import { join } from "node:path";
import { removeFolder, temporaryFolder } from "../test/harness.ts";
import { waitForNoLeftovers } from "./check-server.ts";
import { linearTrend, lowestSamples, type Sample } from "./linear-trend.ts";
import { createMixedLoad } from "./mixed-load.ts";
import { openDescriptors, residentMemory } from "./process-state.ts";
import { type ServerProcess, startServer } from "./server-process.ts";
import type { Row, Scale, Trial } from "./trial.ts";

/** Half an hour of mixed load: no leak of memory or file descriptors. */
export const soak: Trial = {
  name: "soak",
  async run(scale) {
    const folder = temporaryFolder();
    const server = await startServer(join(folder, "data"));
    try {
      return [await workAndWatch(server, scale)];
    } finally {
      await server.kill();
      removeFolder(folder);
    }
  },
};

const CONCURRENCY = 16;
/**
 * Allowed growth of memory over the last two thirds of the time, in MB. A short run ends before the
 * runtime has compiled its hot code and reached a steady rhythm of garbage collection.
 */
const MAX_GROWTH = { whole: 10, short: 60 } as const;
/** Clients interfere with each other and disconnect, but most requests must succeed. */
const MIN_SUCCESS_SHARE = 0.6;
/** For a busy machine: a quiet one does hundreds. */
const MIN_REQUESTS_PER_SECOND = 5;
/** Number of intervals whose lowest samples are compared. */
const INTERVALS = 30;
/** Time for connections to close and for garbage collection. */
const REST_MS = 4_000;

async function workAndWatch(server: ServerProcess, scale: Scale): Promise<Row> {
  const seconds = scale.tries(30 * 60, 20);
  const load = createMixedLoad(server);
  // Descriptors that stay open after the first requests are not a leak.
  await load.run(CONCURRENCY, 2);
  await Bun.sleep(REST_MS);
  const before = openDescriptors(server.pid);

  const samples: Sample[] = [];
  const from = performance.now();
  const sample = () => {
    const at = (performance.now() - from) / 1000;
    samples.push({ at, value: residentMemory(server.pid) });
    if (samples.length % 100 === 0)
      scale.progress(`${Math.round(at)} s, ${Math.round(samples.at(-1)?.value ?? 0)} MB`);
  };
  const watch = setInterval(sample, Math.max(100, seconds * 2));
  await load.run(CONCURRENCY, seconds).finally(() => clearInterval(watch));
  await load.readAll();
  await Bun.sleep(REST_MS);
  const [descriptors, atRest] = [openDescriptors(server.pid), residentMemory(server.pid)];
  const left = await waitForNoLeftovers(server.dataPath);

  // Uncollected garbage is not a leak, so only the lows count.
  const lows = lowestSamples(samples, seconds / INTERVALS);
  const laterLows = lows.filter(({ at }) => at > seconds / 3);
  const { slope, scatter } = linearTrend(laterLows);
  const growth = slope * ((seconds * 2) / 3);
  const half = linearTrend(lows.filter(({ at }) => at > seconds / 2)).slope * 60;
  const problems = [...left, ...load.problems];
  for (const [kind, count] of load.successes) {
    if (count === 0) problems.push(`No request of the kind "${kind}" succeeded.`);
  }
  const successes = [...load.successes.values()].reduce((sum, count) => sum + count, 0);
  if (successes < load.requests * MIN_SUCCESS_SHARE) {
    problems.push(`Only ${successes} of ${load.requests} requests succeeded.`);
  }
  if (load.requests < seconds * MIN_REQUESTS_PER_SECOND) {
    problems.push(`The server answered only ${load.requests} requests in ${seconds} s.`);
  }
  // Growth below the scatter of the samples is noise.
  const limit = scale.tries(MAX_GROWTH.whole, MAX_GROWTH.short);
  if (growth > Math.max(limit, scatter))
    problems.push(`Memory grew by ${growth.toFixed(1)} MB in the last two thirds.`);
  return {
    fault: `mixed work for ${seconds} s`,
    tries: load.requests,
    lost: load.lost,
    leftovers: left.length + Math.max(0, descriptors - before),
    problems: problems.slice(0, 20),
    note: `lows of memory ${half >= 0 ? "+" : ""}${half.toFixed(2)} MB a minute in the second half, ${growth.toFixed(1)} ± ${scatter.toFixed(1)} MB in the last two thirds, ${Math.round(samples[0]?.value ?? 0)} → ${Math.round(samples.at(-1)?.value ?? 0)} → at rest ${Math.round(atRest)} MB; descriptors ${before} → ${descriptors}`,
  };
}
