import { join } from "node:path";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import {
  healthTimes,
  openIdleClients,
  openSlowClients,
  uploadSlowly,
} from "../../test/hostile/slow-clients.ts";
import { waitForNoLeftovers } from "../check-server.ts";
import { openDescriptors, residentMemory, waitForDescriptors } from "../process-state.ts";
import { startServer } from "../server-process.ts";
import type { Row, Scale, Trial } from "../trial.ts";

/**
 * Slowloris: clients that send one byte a second delay nobody, slow uploads are not cut, and what
 * clients held is free soon after they have left.
 */
export const slowloris: Trial = {
  name: "slowloris",
  run: async (scale) => [
    await manySlowClients(scale),
    await leavingClients(scale),
    await steadyUpload(scale),
  ],
};

/** The limit for the 99th percentile of the health check's response times, on an idle and on a busy machine. */
const MAX_P99_MS = 100;
const MAX_BUSY_P99_MS = 400;
/** The descriptors of clients that have left are closed by then. */
const FREED_WITHIN_MS = 5_000;
/** What the server may have opened meanwhile. */
const OTHER_DESCRIPTORS = 10;

async function manySlowClients(scale: Scale): Promise<Row> {
  const clients = scale.tries(2_000, 200);
  const requests = scale.tries(3_000, 300);
  const folder = temporaryFolder();
  const server = await startServer(join(folder, "data"));
  const problems: string[] = [];
  try {
    const before = { descriptors: openDescriptors(server.pid), memory: residentMemory(server.pid) };
    const baseline = await healthTimes(server, 300, 5);
    const slowClients = await openSlowClients(server, clients, 1_000);
    const times = await healthTimes(server, requests, 20);
    const memory = residentMemory(server.pid);
    const { droppedInBody, droppedInHeaders } = slowClients;
    slowClients.discard();
    const leftovers = await waitForNoLeftovers(server.dataPath, 30_000);
    await Bun.sleep(1_000);
    const descriptors = openDescriptors(server.pid);
    const p99 = percentile(times, 0.99);
    // On a busy machine, requests take as long without slow clients.
    const usual = 5 * percentile(baseline, 0.99);
    const allowed = Math.min(MAX_BUSY_P99_MS, Math.max(MAX_P99_MS, usual));
    if (p99 > allowed) problems.push(`The health check took ${p99.toFixed(1)} ms.`);
    if (droppedInBody > 0)
      problems.push(`The server closed ${droppedInBody} connections that were sending a body.`);
    return {
      fault: `${clients} clients that send one byte a second`,
      tries: requests,
      lost: 0,
      leftovers:
        leftovers.length + Math.max(0, descriptors - before.descriptors - OTHER_DESCRIPTORS),
      problems: [...problems, ...leftovers.slice(0, 10)],
      note: `health p50 ${percentile(times, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (baseline ${percentile(baseline, 0.99).toFixed(1)} ms); ${droppedInHeaders} closed with incomplete headers; memory ${Math.round(before.memory)} → ${Math.round(memory)} MB; descriptors ${before.descriptors} → ${descriptors}`,
    };
  } finally {
    await server.kill();
    removeFolder(folder);
  }
}

async function leavingClients(scale: Scale): Promise<Row> {
  const clients = scale.tries(10_000, 1_000);
  const folder = temporaryFolder();
  const server = await startServer(join(folder, "data"));
  try {
    const before = openDescriptors(server.pid);
    const leave = await openIdleClients(server, clients);
    const open = openDescriptors(server.pid);
    const problems = open < before + clients ? [`Only ${open} descriptors were open.`] : [];
    leave();
    const left = performance.now();
    const after = await waitForDescriptors(server.pid, before + OTHER_DESCRIPTORS, FREED_WITHIN_MS);
    return {
      fault: `${clients} idle clients that leave at once`,
      tries: clients,
      lost: 0,
      leftovers: Math.max(0, after - before - OTHER_DESCRIPTORS),
      problems,
      note: `descriptors ${before} → ${open} → ${after} after ${((performance.now() - left) / 1000).toFixed(1)} s`,
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
    const problems = status === 200 ? [] : [`The upload got ${status}.`];
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

const percentile = (sorted: readonly number[], fraction: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? 0;
