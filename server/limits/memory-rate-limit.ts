import { type RateLimit, unlimited, type Verdict } from "./port.ts";

export interface MemoryRateLimitOptions {
  /** Requests per window; 0: no limit. */
  readonly limit: number;
  /** In milliseconds. */
  readonly window?: number;
  /** Windows that are kept at once. */
  readonly maxClients?: number;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

interface Window {
  readonly client: string;
  readonly endsAt: number;
  count: number;
  /** The window that started next, of any client. */
  next: Window | undefined;
}

const ALLOWED: Verdict = { allowed: true };

/** More than one, so that ended windows are dropped faster than new ones start. */
const MAX_DROPS_PER_REQUEST = 4;

/**
 * A rate limit in this process's memory. All windows have the same length and form a list in order
 * of their start, so the first one always ends next. Each request drops a few ended windows, without
 * a timer, and costs the same for any number of clients.
 *
 * At `maxClients`, the window that ends first is dropped early. That does not help an attacker: it
 * takes requests from `maxClients` other addresses within one window, each with its own budget.
 */
export function createMemoryRateLimit(options: MemoryRateLimitOptions): RateLimit {
  const { limit, window = 60_000, maxClients = 200_000, now = () => performance.now() } = options;
  if (limit === 0) return unlimited;
  const open = new Map<string, Window>();
  // A list of our own: finding the first entry of a map is slow after many deletions at its start.
  let first: Window | undefined;
  let last: Window | undefined;
  let size = 0;

  function startWindow(client: string, time: number): void {
    const started: Window = { client, endsAt: time + window, count: 1, next: undefined };
    if (last === undefined) first = started;
    else last.next = started;
    last = started;
    size += 1;
    open.set(client, started);
  }

  function drop(oldest: Window): void {
    first = oldest.next;
    if (first === undefined) last = undefined;
    size -= 1;
    // The client may have started a new window since.
    if (open.get(oldest.client) === oldest) open.delete(oldest.client);
  }

  function makeRoom(time: number): void {
    for (let count = 0; count < MAX_DROPS_PER_REQUEST; count += 1) {
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
        startWindow(client, time);
        return ALLOWED;
      }
      current.count += 1;
      if (current.count <= limit) return ALLOWED;
      return { allowed: false, retryAfter: Math.max(1, Math.ceil((current.endsAt - time) / 1000)) };
    },
  };
}
