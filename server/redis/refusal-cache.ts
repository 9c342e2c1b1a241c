/** Who has been refused, and for how long still. */
export interface RefusalCache {
  note(client: string, ms: number): void;
  /** Milliseconds; 0: it is not, or not any more. */
  left(client: string): number;
}

/** In each of two generations: of whom there are more, the earliest are asked about again. */
const MOST = 50_000;

/** `now`: milliseconds of a clock that nobody sets. */
export function createRefusalCache(now: () => number = () => performance.now()): RefusalCache {
  let young = new Map<string, number>();
  let old = new Map<string, number>();
  return {
    note(client, ms) {
      if (young.size >= MOST) {
        old = young;
        young = new Map();
      }
      young.set(client, now() + ms);
    },
    left: (client) => Math.max(0, (young.get(client) ?? old.get(client) ?? 0) - now()),
  };
}
