import type { Reachable } from "../test/client.ts";
import { compare, type Differences, type Inventory } from "./inventory.ts";
import { findLeftovers } from "./leftovers.ts";
import { readInventory } from "./read-inventory.ts";

export interface Findings extends Differences {
  /** Orphaned blobs, broken records and stale leases. */
  readonly leftovers: readonly string[];
}

/** Time limit for the sweep at the start, on a busy machine. The next sweep, which must not help, comes after 20 s. */
const SWEEP_MS = 15_000;

/**
 * Compares a running server, its disk and its catalog with the expected state. If a response was
 * lost, there are several allowed states: the server must match one of them, and the differences
 * are from the closest.
 */
export async function checkServer(
  server: Reachable & { readonly dataPath: string },
  ...expected: readonly Inventory[]
): Promise<Findings> {
  const actual = await readInventory(server);
  const all = expected.map((expected) => compare(expected, actual));
  const weight = ({ lost, extra }: Differences): number => lost.length + extra.length;
  const [best = { lost: [], extra: [] }] = all.sort((a, b) => weight(a) - weight(b));
  return { ...best, leftovers: await waitForNoLeftovers(server.dataPath) };
}

/** An idle server sweeps at least this often. */
export const NEXT_SWEEP_MS = 35_000;

/** Waits until there are no leftovers; returns those that remain after the timeout. */
export async function waitForNoLeftovers(
  dataPath: string,
  timeoutMs = SWEEP_MS,
): Promise<readonly string[]> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const found = findLeftovers(dataPath);
    if (found.length === 0 || performance.now() > until) return found;
    await Bun.sleep(20);
  }
}
