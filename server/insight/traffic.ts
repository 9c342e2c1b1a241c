import type { Count, Counters, NewCount } from "../catalog/port/counters.ts";
import type { HourlyTraffic, Millis, StatusCount } from "../domain/records.ts";
import {
  type AddTo,
  type Buffered,
  type Counted,
  type CounterBufferDeps,
  createCounterBuffer,
  createTally,
} from "../lib/counter-buffer.ts";

/** Counts requests for files and the bytes sent for them by hour. */
export interface Traffic extends Buffered {
  /** Counts a request for a file by the status of its response. */
  countRequest(status: number): void;
  /** Counts bytes of files that a response announces. */
  countBytes(bytes: number): void;
  /** One entry per hour, oldest first, from the hour of this moment to now, hours without traffic included. */
  since(moment: Millis): Promise<HourlyTraffic[]>;
}

export interface TrafficDeps extends CounterBufferDeps {
  readonly log: Pick<Counters, "addCounts" | "counts" | "removeCounts">;
}

export const HOUR = 3_600_000;
/** Hours that are kept besides the current one. */
const KEPT = 90 * 24;

type Counts = Omit<HourlyTraffic, "hour">;

const NO_TRAFFIC: Counts = { requests: 0, bytes: 0, errors: 0, errorsByStatus: [] };
const ONE_REQUEST: Counts = { ...NO_TRAFFIC, requests: 1 };
/** The counts of an hour have no subject. */
const TOTAL = "";

export function createTraffic(deps: TrafficDeps): Traffic {
  const { log, now = Date.now } = deps;
  const buffer = createCounterBuffer<Counts>(
    {
      name: "traffic counts",
      newTally: () => createTally(addTo),
      write: (hours) => log.addCounts("hour", hours.flatMap(toCounts)),
      periods: {
        length: HOUR,
        kept: KEPT,
        remove: (before) => log.removeCounts("hour", before),
      },
    },
    deps,
  );

  return {
    countRequest(status) {
      if (status >= 400) return buffer.add(TOTAL, oneError(status));
      const sum = buffer.sumOf(TOTAL);
      if (sum === undefined) buffer.add(TOTAL, ONE_REQUEST);
      else sum.requests += 1;
    },
    countBytes(bytes) {
      const sum = buffer.sumOf(TOTAL);
      if (sum === undefined) buffer.add(TOTAL, { ...NO_TRAFFIC, bytes });
      else sum.bytes += bytes;
    },
    async since(moment) {
      await buffer.flushAll();
      const from = Math.floor(moment / HOUR) * HOUR;
      const written = Map.groupBy(await log.counts("hour", from), ({ period }) => period);
      const hours: HourlyTraffic[] = [];
      for (let hour = from; hour <= now(); hour += HOUR) {
        const stored = (written.get(hour) ?? []).map(toTraffic);
        const counted = { hour, ...NO_TRAFFIC };
        for (const each of [...stored, ...buffer.unwritten(TOTAL, hour)]) addTo(counted, each);
        hours.push(counted);
      }
      return hours;
    },
    flush: buffer.flush,
    close: buffer.close,
  };
}

const oneError = (status: number): Counts => ({
  requests: 1,
  bytes: 0,
  errors: 1,
  errorsByStatus: [{ status, requests: 1 }],
});

const addTo: AddTo<Counts> = (sum, { requests, bytes, errors, errorsByStatus }) => {
  sum.requests += requests;
  sum.bytes += bytes;
  // Most requests do not fail.
  if (errors === 0 && errorsByStatus.length === 0) return;
  sum.errors += errors;
  sum.errorsByStatus = addUpStatuses([sum.errorsByStatus, errorsByStatus]);
};

/** The rows of an hour: its totals, and one row for each status. */
function toCounts({
  period,
  requests,
  bytes,
  errors,
  errorsByStatus,
}: Counted<Counts>): NewCount[] {
  const statuses = errorsByStatus.map(({ status, requests: failed }) => ({
    period,
    subject: String(status),
    requests: failed,
    bytes: 0,
    errors: failed,
  }));
  return [{ period, subject: TOTAL, requests, bytes, errors }, ...statuses];
}

/** What a row adds to its hour. */
function toTraffic({ subject, requests, bytes, errors }: Count): Counts {
  if (subject === TOTAL) return { requests, bytes, errors, errorsByStatus: [] };
  return { ...NO_TRAFFIC, errorsByStatus: [{ status: Number(subject), requests }] };
}

/** The sums by status, in the order of the statuses. */
export function addUpStatuses(lists: readonly (readonly StatusCount[])[]): StatusCount[] {
  const byStatus = Map.groupBy(lists.flat(), ({ status }) => status);
  return [...byStatus]
    .map(([status, counts]) => ({
      status,
      requests: counts.reduce((sum, { requests }) => sum + requests, 0),
    }))
    .sort((one, other) => one.status - other.status);
}
