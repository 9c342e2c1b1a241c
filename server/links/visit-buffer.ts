import type { LinkLedger } from "../catalog/port/links.ts";
import { createDelayedWrites } from "../lib/delayed-writes.ts";

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

export interface VisitBufferDeps {
  readonly catalog: Pick<LinkLedger, "addVisits">;
  readonly onError: (message: string, cause: unknown) => void;
  /** Makes the other workers write their counts. */
  readonly flushPeers: () => Promise<void>;
}

export function createVisitBuffer({ catalog, onError, flushPeers }: VisitBufferDeps): VisitBuffer {
  let visits = new Map<string, number>();

  function add(linkId: string, count: number): void {
    visits.set(linkId, (visits.get(linkId) ?? 0) + count);
    schedule();
  }

  async function write(): Promise<void> {
    if (visits.size === 0) return;
    const counts = [...visits].map(([id, count]) => ({ id, count }));
    visits = new Map();
    try {
      await catalog.addVisits(counts);
    } catch (cause) {
      onError("The visits of links could not be written yet", cause);
      for (const { id, count } of counts) add(id, count);
    }
  }

  const { schedule, flush } = createDelayedWrites(write);
  return {
    count: (linkId) => add(linkId, 1),
    async flushAll() {
      await Promise.all([flushPeers(), flush()]);
    },
    flush,
  };
}
