import type { ClusterFixture } from "./cluster.fixture.ts";
import { ageLeases } from "./shared-leftovers.ts";

/**
 * For a short run, which does not wait for leases to lapse: ends all servers, lets the leases lapse
 * that are left, and starts the servers, which clear away at once what was leased.
 */
export async function restartWithExpiredLeases(cluster: ClusterFixture): Promise<void> {
  await Promise.all(cluster.instances.map((instance) => instance.stop()));
  await ageLeases(cluster);
  await Promise.all(cluster.instances.map((instance) => instance.start()));
}
