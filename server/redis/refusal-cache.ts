import { createTwoGenerationCache } from "../lib/two-generation-cache.ts";

/** Clients that Redis has refused, so that a flood of theirs does not reach Redis. */
export interface RefusalCache {
  add(client: string, ms: number): void;
  /** Milliseconds until the refusal ends; 0: not refused. */
  remainingMs(client: string): number;
}

/** Beyond that, the oldest entries are dropped and Redis decides again. */
const MAX_CLIENTS = 100_000;

/** `now`: milliseconds of a monotonic clock. */
export function createRefusalCache(now: () => number = () => performance.now()): RefusalCache {
  const refusedUntil = createTwoGenerationCache<string, number>(MAX_CLIENTS);
  return {
    add: (client, ms) => refusedUntil.set(client, now() + ms, 1),
    remainingMs: (client) => Math.max(0, (refusedUntil.get(client) ?? 0) - now()),
  };
}
