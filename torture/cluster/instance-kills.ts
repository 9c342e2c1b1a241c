import { api } from "../../test/client.ts";
import { type Content, isContent, newContent } from "../content.ts";
import { pickAny, randomInt } from "../random.ts";
import type { Row, Scale } from "../trial.ts";
import { type ClusterFixture, startCluster } from "./cluster.fixture.ts";
import { createClusterClients, NO_OUTAGE } from "./cluster-clients.ts";
import type { Instance } from "./instance.ts";
import { restartWithExpiredLeases } from "./restart-with-expired-leases.ts";
import { findSharedLeftovers, LEASE_MS, waitForNoSharedLeftovers } from "./shared-leftovers.ts";
import { slowUpload } from "./slow-upload.ts";

/** As many writers as readers. A short run must leave two cores the time to start a server among them. */
const CLIENTS = { full: 16, short: 6 };
/** Uploads per instance that take longer than a lease. */
const SLOW = 4;
/** Large enough for a multipart upload to S3. */
const SLOW_BYTES = 12_000_000;

/** kill -9 of one server after the other, while clients write to and read from all servers. */
export async function instanceKills(scale: Scale): Promise<Row> {
  const cluster = await startCluster();
  try {
    return await killMany(cluster, scale);
  } finally {
    await cluster.dispose();
  }
}

async function killMany(cluster: ClusterFixture, scale: Scale): Promise<Row> {
  const kills = scale.tries(20, 2);
  const { instances } = cluster;
  const clientsOfEachKind = scale.tries(CLIENTS.full, CLIENTS.short);
  const clients = createClusterClients({
    instances,
    writers: clientsOfEachKind,
    readers: clientsOfEachKind,
    outage: NO_OUTAGE,
  });
  const running = clients.run();
  let slow: Promise<string[]> = Promise.resolve([]);
  let [slowest, killedAt] = [0, 0];
  for (let kill = 1; kill <= kills; kill += 1) {
    await Bun.sleep(randomInt(500, 3_000));
    const killed = pickAny(instances);
    if (killed === undefined) throw new Error("There are no instances.");
    const isLast = kill === kills;
    // These run on the other servers while the dead server's leases are reclaimed.
    const seconds = scale.tries(LEASE_MS / 1000 + 10, 1);
    const others = instances.filter((other) => other !== killed);
    if (isLast) slow = startSlow(others, seconds);
    await killed.kill();
    killedAt = performance.now();
    await Bun.sleep(randomInt(0, 1_000));
    const from = performance.now();
    await killed.start();
    slowest = Math.max(slowest, performance.now() - from);
    if (kill % 5 === 0) scale.progress(`${kill} kills`);
  }
  await Bun.sleep(2_000);
  clients.end();
  await running;
  const problems = [...clients.problems, ...(await slow)];
  if (scale.tries(0, 1) === 1) await restartWithExpiredLeases(cluster);
  const timeoutMs = 2 * LEASE_MS - (performance.now() - killedAt);
  const left = await waitForNoSharedLeftovers(cluster, instances.length, timeoutMs);
  const seconds = (performance.now() - killedAt) / 1000;
  for (const instance of instances) await clients.audit(instance);
  await Promise.all(instances.map((instance) => instance.stop()));
  const leftovers = [...left, ...(await findSharedLeftovers(cluster, 0))];
  const { changes, reads, retries } = clients.counts;
  return {
    fault: "kill -9 of one of three servers under load",
    tries: kills,
    lost: clients.lost.length,
    leftovers: leftovers.length,
    problems: [...clients.lost, ...leftovers, ...problems].slice(0, 20),
    note: `${changes} changes, ${reads} reads, ${retries} retried elsewhere; restarted in ${Math.round(slowest)} ms; leftovers gone ${seconds.toFixed(0)} s after the last kill`,
  };
}

/** Starts slow uploads to each instance; resolves with their problems. */
async function startSlow(instances: readonly Instance[], seconds: number): Promise<string[]> {
  const all = instances.flatMap((instance) =>
    Array.from({ length: SLOW }, (_, at) =>
      slowly(instance, `slow/${instance.name}-${at}`, seconds),
    ),
  );
  return (await Promise.all(all)).flat();
}

async function slowly(instance: Instance, path: string, seconds: number): Promise<string[]> {
  const content: Content = newContent(SLOW_BYTES);
  const status = await slowUpload(instance, path, content, seconds);
  if (status !== 200) return [`The upload of ${seconds} s to ${instance.name} got ${status}.`];
  const answer = await api(instance).get(`/api/hosting/${path}`);
  return isContent(content, answer.bytes)
    ? []
    : [`${path} was delivered with status ${answer.status} and wrong bytes.`];
}
