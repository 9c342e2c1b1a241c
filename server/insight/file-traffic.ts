import type { FileTrafficLog } from "../catalog/port/insight.ts";
import type { Millis, RequestedFile } from "../domain/records.ts";
import { createFrequentItems, type FrequentItems } from "../lib/frequent-items.ts";
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

export interface FileTrafficDeps {
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

export function createFileTraffic(deps: FileTrafficDeps): FileTraffic {
  const { log, onError, flushPeers, now = Date.now } = deps;
  /** The day of new counts: they are flushed at the end of each minute, so they never span two. */
  let day = dayOf(now());
  /** Counts that are not written yet, by day: of several days after writing failed at midnight. */
  let counters = new Map<Millis, FrequentItems>();
  let prunedAt = 0;

  function counterOf(countedOn: Millis): FrequentItems {
    const known = counters.get(countedOn);
    if (known !== undefined) return known;
    const added = createFrequentItems(MAX_FILES);
    counters.set(countedOn, added);
    return added;
  }

  async function write(): Promise<void> {
    const counted = counters;
    counters = new Map();
    day = dayOf(now());
    const firstDay = day - (DAYS - 1) * DAY;
    for (const [countedOn, counter] of counted) {
      if (countedOn >= firstDay) await writeDay(countedOn, counter.take());
    }
    if (day === prunedAt) return;
    prunedAt = day;
    await log
      .removeFileTraffic(firstDay)
      .catch((cause: unknown) => onError("Old traffic of files could not be removed yet", cause));
  }

  async function writeDay(
    countedOn: Millis,
    counts: ReturnType<FrequentItems["take"]>,
  ): Promise<void> {
    const rows = counts.map(([fileId, each]) => ({ fileId, ...each }));
    try {
      await log.addFileTraffic(countedOn, rows);
    } catch (cause) {
      onError("The traffic of files could not be written yet", cause);
      const counter = counterOf(countedOn);
      for (const [fileId, each] of counts) counter.add(fileId, each);
    }
  }

  const { flush, close } = flushEachMinute(write, now);

  return {
    count: (fileId, bytes) => counterOf(day).count(fileId, bytes),
    async mostRequested(since, limit) {
      await Promise.all([flush(), flushPeers?.()]);
      return log.requestedFiles(since, limit);
    },
    flush,
    close,
  };
}
