import type { Counters } from "../catalog/port/counters.ts";
import type { Millis, RequestedFile } from "../domain/records.ts";
import {
  type Buffered,
  type CounterBufferDeps,
  createCounterBuffer,
} from "../lib/counter-buffer.ts";
import { createFrequentItems, type ItemCounts } from "../lib/frequent-items.ts";

/** Counts the requests for the files with the most by day. */
export interface FileTraffic extends Buffered {
  /** Counts a request for a file that is answered without an error, and the bytes that the response announces. */
  count(fileId: string, bytes: number): void;
  /** See `Counters.requestedFiles`. The last 30 days (UTC) are kept, today included. */
  mostRequested(since: Millis, limit: number): Promise<RequestedFile[]>;
}

export interface FileTrafficDeps extends CounterBufferDeps {
  readonly log: Pick<Counters, "addCounts" | "requestedFiles" | "removeCounts">;
}

const DAY = 24 * 3_600_000;
/** Days in UTC that are kept besides the current one. */
const EARLIER_DAYS = 29;
/** Files of a day whose counts are written at once. */
const MAX_FILES = 500;

export function createFileTraffic(deps: FileTrafficDeps): FileTraffic {
  const { log } = deps;
  const buffer = createCounterBuffer<ItemCounts>(
    {
      name: "traffic of files",
      newTally: () => createFrequentItems(MAX_FILES),
      write: (counts) => log.addCounts("file", counts),
      periods: {
        length: DAY,
        kept: EARLIER_DAYS,
        remove: (before) => log.removeCounts("file", before),
      },
    },
    deps,
  );

  return {
    count(fileId, bytes) {
      const sum = buffer.sumOf(fileId);
      if (sum === undefined) return buffer.add(fileId, { requests: 1, bytes, weight: 1 });
      sum.requests += 1;
      sum.bytes += bytes;
      sum.weight += 1;
    },
    async mostRequested(since, limit) {
      await buffer.flushAll();
      return log.requestedFiles(since, limit);
    },
    flush: buffer.flush,
    close: buffer.close,
  };
}
