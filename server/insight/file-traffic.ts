import type { FileTrafficLog } from "../catalog/port/insight.ts";
import { createFrequentItems } from "../rules/frequent-items.ts";
import type { Millis, RequestedFile } from "../rules/records.ts";
import { flushEachMinute } from "./flush-each-minute.ts";

/**
 * Counts the requests for the files with the most in memory, and adds them to the catalog every
 * minute. A crash loses the last minute.
 */
export interface FileTraffic {
  /** Counts a request for a file that is answered without an error, and the bytes that the response announces. */
  count(fileId: string, bytes: number): void;
  /** See `FileTrafficLog.requestedFiles`. The last 30 days (UTC) are kept, today included. */
  mostRequested(since: Millis, limit: number): Promise<RequestedFile[]>;
  /** Writes the counts, or keeps them when writing fails. Never throws. */
  flush(): Promise<void>;
  /** Writes the counts and stops the timer. */
  close(): Promise<void>;
}

export interface FileTrafficParts {
  readonly log: FileTrafficLog;
  readonly onError: (message: string, cause: unknown) => void;
  /** Makes the other workers write their counts; awaited before each read. */
  readonly flushPeers?: () => Promise<void>;
  readonly now?: () => Millis;
}

const DAY = 24 * 3_600_000;
/** Today included; in UTC. Older counts are removed. */
const DAYS = 30;
/** Files whose counts are written at once. */
const MAX_FILES = 500;

const dayOf = (moment: Millis): Millis => Math.floor(moment / DAY) * DAY;

export function createFileTraffic(parts: FileTrafficParts): FileTraffic {
  const { log, onError, flushPeers, now = Date.now } = parts;
  const counter = createFrequentItems(MAX_FILES);
  /** The day of the counts: they are flushed at the end of each minute, so they never span two. */
  let day = dayOf(now());
  let prunedAt = 0;

  async function write(): Promise<void> {
    const counts = counter.take();
    const countedOn = day;
    day = dayOf(now());
    if (counts.length > 0) {
      const rows = counts.map(([fileId, each]) => ({ fileId, ...each }));
      await log.addFileTraffic(countedOn, rows).catch((cause: unknown) => {
        onError("The traffic of files could not be written yet", cause);
        for (const [fileId, each] of counts) counter.add(fileId, each);
      });
    }
    if (day === prunedAt) return;
    prunedAt = day;
    await log
      .removeFileTraffic(day - (DAYS - 1) * DAY)
      .catch((cause: unknown) => onError("Old traffic of files could not be removed yet", cause));
  }

  const { flush, close } = flushEachMinute(write, now);

  return {
    count: counter.count,
    async mostRequested(since, limit) {
      await Promise.all([flush(), flushPeers?.()]);
      return log.requestedFiles(since, limit);
    },
    flush,
    close,
  };
}
