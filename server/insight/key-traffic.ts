import type { Counters, Totals } from "../catalog/port/counters.ts";
import type { KeyTotals, Millis } from "../domain/records.ts";
import {
  type AddTo,
  type Buffered,
  type CounterBufferDeps,
  createCounterBuffer,
  createTally,
} from "../lib/counter-buffer.ts";

/** Counts the requests of API keys by day. */
export interface KeyTraffic extends Buffered {
  /** Counts an authenticated request by the status of its response. */
  countRequest(keyId: string, status: number): void;
  /** Counts bytes of files that a response announces. */
  countBytes(keyId: string, bytes: number): void;
  /** The totals of the last 30 days (UTC), today included, of the keys with requests. */
  totals(): Promise<{ readonly since: Millis; readonly keys: KeyTotals[] }>;
}

export interface KeyTrafficDeps extends CounterBufferDeps {
  readonly log: Pick<Counters, "addCounts" | "totals" | "removeCounts">;
}

const DAY = 24 * 3_600_000;
/** Days in UTC that totals cover besides the current one. */
const EARLIER_DAYS = 29;
/** Keys with unwritten counts of a day. While writing fails, those of further keys are lost. */
const MAX_KEYS = 10_000;

type Counts = Omit<Totals, "subject">;

const addTo: AddTo<Counts> = (sum, { requests, bytes, errors }) => {
  sum.requests += requests;
  sum.bytes += bytes;
  sum.errors += errors;
};

export function createKeyTraffic(deps: KeyTrafficDeps): KeyTraffic {
  const { log, now = Date.now } = deps;
  const buffer = createCounterBuffer<Counts>(
    {
      name: "traffic of API keys",
      newTally: () => createTally(addTo, MAX_KEYS),
      write: (counts) => log.addCounts("key", counts),
      periods: {
        length: DAY,
        kept: EARLIER_DAYS,
        remove: (before) => log.removeCounts("key", before),
      },
    },
    deps,
  );

  return {
    countRequest(keyId, status) {
      buffer.add(keyId, { requests: 1, bytes: 0, errors: status < 400 ? 0 : 1 });
    },
    countBytes(keyId, bytes) {
      buffer.add(keyId, { requests: 0, bytes, errors: 0 });
    },
    async totals() {
      await buffer.flushAll();
      const since = (Math.floor(now() / DAY) - EARLIER_DAYS) * DAY;
      const totals = await log.totals("key", since);
      return {
        since,
        keys: totals.map(({ subject, ...counts }) => ({ keyId: subject, ...counts })),
      };
    },
    flush: buffer.flush,
    close: buffer.close,
  };
}
