import type { Reachable } from "../test/client.ts";
import { compare, type Differences, type Inventory } from "./inventory.ts";
import { findLeftovers } from "./leftovers.ts";
import { readInventory } from "./read-inventory.ts";

export interface Findings extends Differences {
  /** Bytes, records and leases that nobody owns. */
  readonly leftovers: readonly string[];
}

/** How long the sweep at the start may take, on a busy machine, until nothing is left over. */
const SWEEP_MS = 8_000;

/**
 * Holds a running server, its disk and its catalog to what was promised. Of several promises, as
 * when an answer never came, the one that fits best is taken: before or after, never in between.
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

/** What a server that does nothing else sweeps again after at the latest. */
export const NEXT_SWEEP_MS = 35_000;

/** What is still left over after the sweep has had its time. */
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
