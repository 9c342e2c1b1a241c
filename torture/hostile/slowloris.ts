import { join } from "node:path";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { healthTimes, openSlowClients, uploadSlowly } from "../../test/hostile/slow-clients.ts";
import { waitForNoLeftovers } from "../check-server.ts";
import { openDescriptors, residentMemory } from "../process-state.ts";
import { startServer } from "../server-process.ts";
import type { Row, Scale, Trial } from "../trial.ts";

/** Clients that send a byte a second do not delay others, and a slow upload is not cut. */
export const slowloris: Trial = {
  name: "slowloris",
  run: async (scale) => [await manySlow(scale), await steadyUpload(scale)],
};

/** The limit of the 99th percentile of health requests, in milliseconds. */
const MOST_MS = 100;

async function manySlow(scale: Scale): Promise<Row> {
  const clients = scale.tries(2_000, 200);
  const requests = scale.tries(3_000, 300);
  const folder = temporaryFolder();
  const server = await startServer(join(folder, "data"));
  const problems: string[] = [];
  try {
    const before = { descriptors: openDescriptors(server.pid), memory: residentMemory(server.pid) };
    const alone = await healthTimes(server, 300, 5);
    const many = await openSlowClients(server, clients, 1_000);
    const times = await healthTimes(server, requests, 20);
    const memory = residentMemory(server.pid);
    const { dropped, droppedBefore } = many;
    many.discard();
    const left = await waitForNoLeftovers(server.dataPath, 30_000);
    await Bun.sleep(1_000);
    const open = openDescriptors(server.pid);
    const p99 = ranked(times, 0.99);
    if (p99 > MOST_MS) problems.push(`The health check took ${p99.toFixed(1)} ms.`);
    if (dropped > 0) problems.push(`${dropped} were hung up on in a body that was coming.`);
    return {
      fault: `${clients} clients that send a byte a second`,
      tries: requests,
      lost: 0,
      leftovers: left.length + Math.max(0, open - before.descriptors - 10),
      problems: [...problems, ...left.slice(0, 10)],
      note: `health p50 ${ranked(times, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (alone ${ranked(alone, 0.99).toFixed(1)} ms); ${droppedBefore} cut whose headers did not end; memory ${Math.round(before.memory)} → ${Math.round(memory)} MB; descriptors ${before.descriptors} → ${open}`,
    };
  } finally {
    await server.kill();
    removeFolder(folder);
  }
}

async function steadyUpload(scale: Scale): Promise<Row> {
  const seconds = scale.tries(600, 20);
  const folder = temporaryFolder();
  const server = await startServer(join(folder, "data"));
  try {
    const status = await uploadSlowly(server, seconds * 20_000, 20_000);
    const problems = status === 200 ? [] : [`The answer was ${status}.`];
    return {
      fault: `an upload at 20 KB/s for ${seconds} s`,
      tries: 1,
      lost: 0,
      leftovers: 0,
      problems,
    };
  } finally {
    await server.kill();
    removeFolder(folder);
  }
}

const ranked = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
