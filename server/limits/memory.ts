import type { RateLimit, Verdict } from "./port.ts";

export interface MemoryLimitOptions {
  /** Requests within one window; 0: no limit. */
  readonly limit: number;
  /** In milliseconds. */
  readonly window?: number;
  /** Clients that are remembered at once. */
  readonly maxClients?: number;
  /** Milliseconds of a clock that nobody sets. */
  readonly now?: () => number;
}

interface Window {
  readonly endsAt: number;
  count: number;
}

const ALLOWED: Verdict = { allowed: true };

/**
 * A rate limit in this process's memory. Windows all last equally long and are kept in the order in
 * which they began, so the first is always the next to end: what has ended is dropped as requests
 * come, without a timer. At `maxClients`, the window that ends soonest is forgotten early.
 */
export function createMemoryLimit(options: MemoryLimitOptions): RateLimit {
  const { limit, window = 60_000, maxClients = 200_000, now = () => performance.now() } = options;
  if (limit === 0) return { take: () => ALLOWED };
  const windows = new Map<string, Window>();

  function dropEnded(time: number): void {
    for (const [client, { endsAt }] of windows) {
      if (endsAt > time && windows.size < maxClients) return;
      windows.delete(client);
    }
  }

  return {
    take(client) {
      const time = now();
      const open = windows.get(client);
      if (open === undefined || open.endsAt <= time) {
        // Deleted first, so that the new window goes to the end of the order.
        windows.delete(client);
        dropEnded(time);
        windows.set(client, { endsAt: time + window, count: 1 });
        return ALLOWED;
      }
      open.count += 1;
      if (open.count <= limit) return ALLOWED;
      return { allowed: false, retryAfter: Math.max(1, Math.ceil((open.endsAt - time) / 1000)) };
    },
  };
}
