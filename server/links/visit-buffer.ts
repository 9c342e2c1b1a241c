import type { LinkLedger } from "../catalog/port/links.ts";

/**
 * Counts visits that nothing depends on, and writes them together: a flood of requests must not be a flood
 * of writes. A crash loses the last minute.
 */
export interface VisitBuffer {
  count(linkId: string): void;
  /** Await this before reading visits: the other workers write theirs too. */
  flushAll(): Promise<void>;
  /** Writes the counts, or keeps them when writing fails. Never throws. */
  flush(): Promise<void>;
}

export interface VisitBufferParts {
  readonly catalog: Pick<LinkLedger, "addVisits">;
  readonly onError: (message: string, cause: unknown) => void;
  /** Makes the other workers write their counts. */
  readonly flushPeers: () => Promise<void>;
}

/** Minimum time between two writes that nobody waits for. */
const WRITE_INTERVAL_MS = 60_000;
/** Time from the first visit to the first write. */
const FIRST_WRITE_DELAY_MS = 1000;

export function createVisitBuffer({ catalog, onError, flushPeers }: VisitBufferParts): VisitBuffer {
  let visits = new Map<string, number>();
  let timer: Timer | undefined;
  let lastWriteAt = Number.NEGATIVE_INFINITY;
  let lastFlush: Promise<void> = Promise.resolve();

  function add(linkId: string, count: number): void {
    visits.set(linkId, (visits.get(linkId) ?? 0) + count);
    if (timer !== undefined) return;
    const delay = lastWriteAt + WRITE_INTERVAL_MS - performance.now();
    timer = setTimeout(flush, Math.max(FIRST_WRITE_DELAY_MS, delay));
    timer.unref();
  }

  /** Flushes run one after another, so that awaiting one also awaits those already running. */
  function flush(): Promise<void> {
    lastFlush = lastFlush.then(write);
    return lastFlush;
  }

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (visits.size === 0) return;
    lastWriteAt = performance.now();
    const counts = [...visits].map(([id, count]) => ({ id, count }));
    visits = new Map();
    try {
      await catalog.addVisits(counts);
    } catch (cause) {
      onError("The visits of links could not be written yet", cause);
      for (const { id, count } of counts) add(id, count);
    }
  }

  return {
    count: (linkId) => add(linkId, 1),
    async flushAll() {
      await Promise.all([flushPeers(), flush()]);
    },
    flush,
  };
}
