import type { ClusterFixture } from "./cluster.fixture.ts";
import { ageLeases } from "./shared-leftovers.ts";

/**
 * For short runs, which do not wait for leases to expire: stops all servers, makes the remaining
 * leases expire, and starts the servers, which then reclaim them.
 */
export async function restartWithExpiredLeases(cluster: ClusterFixture): Promise<void> {
  await Promise.all(cluster.instances.map((instance) => instance.stop()));
  await ageLeases(cluster);
  await Promise.all(cluster.instances.map((instance) => instance.start()));
}
