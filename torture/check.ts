import type { Reachable } from "../test/client.ts";
import { compare, type Differences, type Holdings } from "./holdings.ts";
import { leftovers } from "./leftovers.ts";
import { see } from "./see.ts";

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
export async function check(
  server: Reachable & { readonly dataPath: string },
  ...promises: readonly Holdings[]
): Promise<Findings> {
  const seen = await see(server);
  const all = promises.map((promised) => compare(promised, seen));
  const weight = ({ lost, extra }: Differences): number => lost.length + extra.length;
  const [best = { lost: [], extra: [] }] = all.sort((a, b) => weight(a) - weight(b));
  return { ...best, leftovers: await leftoversInTheEnd(server.dataPath) };
}

/** What a server that does nothing else sweeps again after at the latest. */
export const NEXT_SWEEP_MS = 35_000;

/** What is still left over after the sweep has had its time. */
export async function leftoversInTheEnd(
  dataPath: string,
  patienceMs = SWEEP_MS,
): Promise<readonly string[]> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const found = leftovers(dataPath);
    if (found.length === 0 || performance.now() > until) return found;
    await Bun.sleep(20);
  }
}
