import type { Row } from "../trial.ts";
import type { ClusterBed } from "./cluster-bed.ts";
import { createClusterCrowd } from "./crowd-of-cluster.ts";
import { hasten } from "./hasten.ts";
import { recovery } from "./recovery.ts";
import { LEASE_MS, sharedLeftovers, sharedLeftoversInTheEnd } from "./shared-leftovers.ts";

const WRITERS = 16;
const READERS = 16;

export interface Disturbance {
  readonly fault: string;
  /** How often it happens. */
  readonly tries: number;
  readonly isShort: boolean;
  /** Troubles the database, between `begins` and `ended`, which sees how long our servers take to recover. */
  act(trouble: { begins(): void; ended(): Promise<void> }): Promise<void>;
}

/**
 * Lets clients write to and read from all servers while the database that these share is disturbed,
 * and holds the servers to what was acknowledged. None of them may end.
 */
export async function disturbDatabase(
  bed: ClusterBed,
  { fault, tries, isShort, act }: Disturbance,
): Promise<Row> {
  const { instances } = bed;
  const trouble = { isOn: false, turns: 0 };
  const problems: string[] = [];
  let slowest = 0;
  const turn = (isOn: boolean): void => {
    trouble.isOn = isOn;
    trouble.turns += 1;
  };
  const crowd = createClusterCrowd({ instances, writers: WRITERS, readers: READERS, trouble });
  const running = crowd.run();
  await act({
    begins: () => turn(true),
    async ended() {
      const recovered = await recovery(instances);
      slowest = Math.max(slowest, recovered.milliseconds);
      problems.push(...recovered.problems);
      turn(false);
    },
  });
  await Bun.sleep(2_000);
  crowd.end();
  await running;
  problems.push(...crowd.problems);
  for (const instance of instances) {
    if (!instance.isAlive()) problems.push(`${instance.name} has ended:\n${instance.output()}`);
  }
  if (isShort) await hasten(bed);
  const from = performance.now();
  const left = await sharedLeftoversInTheEnd(bed, instances.length, 2 * LEASE_MS);
  const seconds = (performance.now() - from) / 1000;
  for (const instance of instances) await crowd.audit(instance);
  await Promise.all(instances.map((instance) => instance.stop()));
  // Of a lease whose commit got lost nobody knows, so that nobody ends it: it lapses by itself.
  const leftovers = [...left, ...(await sharedLeftovers(bed, instances.length))];
  const { changes, reads, again } = crowd.tally;
  return {
    fault,
    tries,
    lost: crowd.lost.length,
    leftovers: leftovers.length,
    problems: [...crowd.lost, ...leftovers, ...problems].slice(0, 20),
    note: `${changes} changes, ${reads} reads, ${again} made again; all servers answered again within ${Math.round(slowest)} ms; leftovers gone in ${seconds.toFixed(0)} s`,
  };
}
