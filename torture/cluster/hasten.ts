import type { ClusterBed } from "./cluster-bed.ts";
import { ageLeases } from "./shared-leftovers.ts";

/**
 * For a short run, which does not wait for leases to lapse: ends all servers, lets the leases lapse
 * that are left, and starts the servers, which clear away at once what was leased.
 */
export async function hasten(bed: ClusterBed): Promise<void> {
  await Promise.all(bed.instances.map((instance) => instance.stop()));
  await ageLeases(bed);
  await Promise.all(bed.instances.map((instance) => instance.start()));
}
