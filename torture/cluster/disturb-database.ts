import type { Row } from "../trial.ts";
import type { ClusterFixture } from "./cluster.fixture.ts";
import { createClusterClients } from "./cluster-clients.ts";
import { measureRecovery } from "./measure-recovery.ts";
import { restartWithExpiredLeases } from "./restart-with-expired-leases.ts";
import { findSharedLeftovers, LEASE_MS, waitForNoSharedLeftovers } from "./shared-leftovers.ts";

const WRITERS = 16;
const READERS = 16;

export interface Disturbance {
  readonly fault: string;
  /** Number of faults. */
  readonly tries: number;
  readonly isShort: boolean;
  /**
   * Causes the faults. Call `begins` before each; `ended` after it waits for our servers and
   * measures the recovery.
   */
  disturb(outage: { begins(): void; ended(): Promise<void> }): Promise<void>;
}

/**
 * Runs clients against all servers during faults of the shared database, and checks every
 * acknowledged change. No server may exit.
 */
export async function disturbDatabase(
  cluster: ClusterFixture,
  { fault, tries, isShort, disturb }: Disturbance,
): Promise<Row> {
  const { instances } = cluster;
  const outage = { isActive: false, transitions: 0 };
  const problems: string[] = [];
  let slowest = 0;
  const setActive = (isActive: boolean): void => {
    outage.isActive = isActive;
    outage.transitions += 1;
  };
  const clients = createClusterClients({ instances, writers: WRITERS, readers: READERS, outage });
  const running = clients.run();
  await disturb({
    begins: () => setActive(true),
    async ended() {
      const recovered = await measureRecovery(instances);
      slowest = Math.max(slowest, recovered.milliseconds);
      problems.push(...recovered.problems);
      setActive(false);
    },
  });
  await Bun.sleep(2_000);
  clients.end();
  await running;
  problems.push(...clients.problems);
  for (const instance of instances) {
    if (!instance.isAlive()) problems.push(`${instance.name} has exited:\n${instance.output()}`);
  }
  if (isShort) await restartWithExpiredLeases(cluster);
  const from = performance.now();
  const left = await waitForNoSharedLeftovers(cluster, instances.length, 2 * LEASE_MS);
  const seconds = (performance.now() - from) / 1000;
  for (const instance of instances) await clients.audit(instance);
  await Promise.all(instances.map((instance) => instance.stop()));
  // A lease whose commit was lost is unknown to its server, so it stays until it expires.
  const leftovers = [...left, ...(await findSharedLeftovers(cluster, instances.length))];
  const { changes, reads, retries } = clients.counts;
  return {
    fault,
    tries,
    lost: clients.lost.length,
    leftovers: leftovers.length,
    problems: [...clients.lost, ...leftovers, ...problems].slice(0, 20),
    note: `${changes} changes, ${reads} reads, ${retries} retried; all servers responded again within ${Math.round(slowest)} ms; leftovers gone in ${seconds.toFixed(0)} s`,
  };
}
