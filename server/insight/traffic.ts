import type { TrafficLog } from "../catalog/port/insight.ts";
import type { HourlyTraffic, Millis, StatusCount } from "../domain/records.ts";
import { flushEachMinute } from "./flush-each-minute.ts";

/**
 * Counts requests for files and the bytes sent for them in memory, and adds them to the catalog
 * every minute. A crash loses the last minute.
 */
export interface Traffic {
  /** Counts a request for a file by the status of its response. */
  countRequest(status: number): void;
  /** Counts bytes of files that a response announces. */
  countBytes(bytes: number): void;
  /** One entry per hour, oldest first, from the hour of this moment to now, hours without traffic included. */
  since(moment: Millis): Promise<HourlyTraffic[]>;
  /** Writes the counts, or keeps them when writing fails. Never throws. */
  flush(): Promise<void>;
  /** Writes the counts and stops the timer. */
  close(): Promise<void>;
}

export interface TrafficDeps {
  readonly log: TrafficLog;
  readonly onError: (message: string, cause: unknown) => void;
  /** Makes the other workers write their counts; awaited before each read. */
  readonly flushPeers?: () => Promise<void>;
  readonly now?: () => Millis;
}

export const HOUR = 3_600_000;
const RETENTION_MS = 90 * 24 * HOUR;

const hourOf = (moment: Millis): Millis => Math.floor(moment / HOUR) * HOUR;

export function createTraffic(deps: TrafficDeps): Traffic {
  const { log, onError, flushPeers, now = Date.now } = deps;
  /** The hour of new counts: they are flushed at the end of each minute, so they never span two. */
  let hour = hourOf(now());
  /** Counts that are not written yet, by hour: of several hours after writing failed at the end of one. */
  let unwritten = new Map<Millis, Counts>();
  let prunedAt = 0;

  function countsOf(countedIn: Millis): Counts {
    const known = unwritten.get(countedIn);
    if (known !== undefined) return known;
    const added = { requests: 0, bytes: 0, errors: new Map<number, number>() };
    unwritten.set(countedIn, added);
    return added;
  }

  async function write(): Promise<void> {
    const hours = [...unwritten].map(([countedIn, counts]) => toHour(countedIn, counts));
    unwritten = new Map();
    hour = hourOf(now());
    if (hours.length > 0) {
      try {
        await log.addTraffic(hours);
      } catch (cause) {
        onError("The traffic counts could not be written yet", cause);
        for (const each of hours) addTo(countsOf(each.hour), each);
      }
    }
    if (hour === prunedAt) return;
    prunedAt = hour;
    await log
      .removeTraffic(hour - RETENTION_MS)
      .catch((cause: unknown) => onError("Old traffic counts could not be removed yet", cause));
  }

  const { flush, close } = flushEachMinute(write, now);

  return {
    countRequest(status) {
      const counts = countsOf(hour);
      counts.requests += 1;
      if (status >= 400) countErrors(counts, status, 1);
    },
    countBytes(size) {
      countsOf(hour).bytes += size;
    },
    async since(moment) {
      await flushPeers?.();
      const from = hourOf(moment);
      const written = new Map((await log.traffic(from)).map((each) => [each.hour, each]));
      const hours: HourlyTraffic[] = [];
      for (let at = from; at <= hourOf(now()); at += HOUR) {
        const stored = written.get(at) ?? toHour(at, NO_TRAFFIC);
        const counted = toHour(at, unwritten.get(at) ?? NO_TRAFFIC);
        hours.push({
          hour: at,
          requests: stored.requests + counted.requests,
          bytes: stored.bytes + counted.bytes,
          errors: stored.errors + counted.errors,
          errorsByStatus: addUpStatuses([stored.errorsByStatus, counted.errorsByStatus]),
        });
      }
      return hours;
    },
    flush,
    close,
  };
}

interface Counts {
  requests: number;
  bytes: number;
  /** Error responses by status. */
  readonly errors: Map<number, number>;
}

const NO_TRAFFIC: Counts = { requests: 0, bytes: 0, errors: new Map() };

function toHour(hour: Millis, { requests, bytes, errors }: Counts): HourlyTraffic {
  const errorsByStatus = [...errors].map(([status, count]) => ({ status, requests: count }));
  return { hour, requests, bytes, errors: sumOf(errorsByStatus), errorsByStatus };
}

function addTo(counts: Counts, { requests, bytes, errorsByStatus }: HourlyTraffic): void {
  counts.requests += requests;
  counts.bytes += bytes;
  for (const each of errorsByStatus) countErrors(counts, each.status, each.requests);
}

function countErrors({ errors }: Counts, status: number, count: number): void {
  errors.set(status, (errors.get(status) ?? 0) + count);
}

const sumOf = (counts: readonly StatusCount[]): number =>
  counts.reduce((sum, { requests }) => sum + requests, 0);

/** The sums by status, in the order of the statuses. */
export function addUpStatuses(lists: readonly (readonly StatusCount[])[]): StatusCount[] {
  const byStatus = Map.groupBy(lists.flat(), ({ status }) => status);
  return [...byStatus]
    .map(([status, counts]) => ({ status, requests: sumOf(counts) }))
    .sort((one, other) => one.status - other.status);
}
