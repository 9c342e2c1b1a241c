/** Clients that Redis has refused, so that a flood of theirs does not reach Redis. */
export interface RefusalCache {
  add(client: string, ms: number): void;
  /** Milliseconds until the refusal ends; 0: not refused. */
  remainingMs(client: string): number;
}

/** Per generation; there are two. Beyond that, the oldest entries are dropped and Redis decides again. */
const MAX_CLIENTS = 50_000;

/** `now`: milliseconds of a monotonic clock. */
export function createRefusalCache(now: () => number = () => performance.now()): RefusalCache {
  let young = new Map<string, number>();
  let old = new Map<string, number>();
  return {
    add(client, ms) {
      if (young.size >= MAX_CLIENTS) {
        old = young;
        young = new Map();
      }
      young.set(client, now() + ms);
    },
    remainingMs: (client) => Math.max(0, (young.get(client) ?? old.get(client) ?? 0) - now()),
  };
}
