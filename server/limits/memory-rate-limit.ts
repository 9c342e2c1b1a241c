import { type RateLimit, unlimited, type Verdict } from "./port.ts";

export interface MemoryRateLimitOptions {
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
  readonly client: string;
  readonly endsAt: number;
  count: number;
  /** The window that began next, by whichever client. */
  next: Window | undefined;
}

const ALLOWED: Verdict = { allowed: true };

/** More than one, so that what has ended goes faster than new clients come. */
const DROPPED_AT_ONCE = 4;

/**
 * A rate limit in this process's memory. Windows all last equally long and are kept in the order in
 * which they began, so the first is always the next to end: what has ended is dropped as requests
 * come, a few at a time and without a timer, and a request costs the same however many clients
 * there are.
 *
 * At `maxClients`, the window that ends soonest is forgotten early. That is no way round the limit:
 * it takes requests from so many other addresses within one window, each with a budget of its own.
 */
export function createMemoryRateLimit(options: MemoryRateLimitOptions): RateLimit {
  const { limit, window = 60_000, maxClients = 200_000, now = () => performance.now() } = options;
  if (limit === 0) return unlimited;
  const open = new Map<string, Window>();
  // Not the map's own order: a map whose first entries keep going is slow to find its first.
  let first: Window | undefined;
  let last: Window | undefined;
  let size = 0;

  function begin(client: string, time: number): void {
    const begun: Window = { client, endsAt: time + window, count: 1, next: undefined };
    if (last === undefined) first = begun;
    else last.next = begun;
    last = begun;
    size += 1;
    open.set(client, begun);
  }

  function drop(oldest: Window): void {
    first = oldest.next;
    if (first === undefined) last = undefined;
    size -= 1;
    // The client may have begun another since this one ended.
    if (open.get(oldest.client) === oldest) open.delete(oldest.client);
  }

  function makeRoom(time: number): void {
    for (let turn = 0; turn < DROPPED_AT_ONCE; turn += 1) {
      if (first === undefined || (first.endsAt > time && size < maxClients)) return;
      drop(first);
    }
  }

  return {
    take(client) {
      const time = now();
      const current = open.get(client);
      if (current === undefined || current.endsAt <= time) {
        makeRoom(time);
        begin(client, time);
        return ALLOWED;
      }
      current.count += 1;
      if (current.count <= limit) return ALLOWED;
      return { allowed: false, retryAfter: Math.max(1, Math.ceil((current.endsAt - time) / 1000)) };
    },
  };
}
