import type { KeyTrafficLog } from "../catalog/port/insight.ts";
import type { KeyDayTraffic, KeyTotals, Millis } from "../domain/records.ts";
import { flushEachMinute } from "./flush-each-minute.ts";

/**
 * Counts the requests of API keys in memory, and adds them to the catalog every minute. A crash loses
 * the last minute.
 */
export interface KeyTraffic {
  /** Counts an authenticated request by the status of its response. */
  countRequest(keyId: string, status: number): void;
  /** Counts bytes of files that a response announces. */
  countBytes(keyId: string, bytes: number): void;
  /** The totals of the last 30 days (UTC), today included, of the keys with requests. */
  totals(): Promise<{ readonly since: Millis; readonly keys: KeyTotals[] }>;
  /** Writes the counts, or keeps them when writing fails. Never throws. */
  flush(): Promise<void>;
  /** Writes the counts and stops the timer. */
  close(): Promise<void>;
}

export interface KeyTrafficDeps {
  readonly log: KeyTrafficLog;
  readonly onError: (message: string, cause: unknown) => void;
  /** Makes the other workers write their counts; awaited before each read. */
  readonly flushPeers?: () => Promise<void>;
  readonly now?: () => Millis;
}

const DAY = 24 * 3_600_000;
/** The days that totals cover, today included; in UTC. Older counts are removed. */
const DAYS = 30;
/** Keys with counts that are not written yet. While writing fails, those of further keys are lost. */
const MAX_KEYS = 10_000;

const dayOf = (moment: Millis): Millis => Math.floor(moment / DAY) * DAY;

export function createKeyTraffic(deps: KeyTrafficDeps): KeyTraffic {
  const { log, onError, flushPeers, now = Date.now } = deps;
  let counts = new Map<string, { requests: number; bytes: number; errors: number }>();
  /** The day of the counts: they are flushed at the end of each minute, so they never span two. */
  let day = dayOf(now());
  let prunedAt = 0;

  const firstDay = (): Millis => dayOf(now()) - (DAYS - 1) * DAY;

  function countsOf(keyId: string) {
    const known = counts.get(keyId);
    if (known !== undefined) return known;
    const added = { requests: 0, bytes: 0, errors: 0 };
    if (counts.size < MAX_KEYS) counts.set(keyId, added);
    return added;
  }

  async function write(): Promise<void> {
    const rows = [...counts].map(([keyId, each]) => ({ day, keyId, ...each }));
    counts = new Map();
    day = dayOf(now());
    if (rows.length > 0) {
      await log.addKeyTraffic(rows).catch((cause: unknown) => {
        onError("The traffic of API keys could not be written yet", cause);
        keep(rows);
      });
    }
    if (day === prunedAt) return;
    prunedAt = day;
    await log
      .removeKeyTraffic(firstDay())
      .catch((cause: unknown) =>
        onError("Old traffic of API keys could not be removed yet", cause),
      );
  }

  function keep(rows: readonly KeyDayTraffic[]): void {
    for (const { keyId, requests, bytes, errors } of rows) {
      const later = countsOf(keyId);
      later.requests += requests;
      later.bytes += bytes;
      later.errors += errors;
    }
  }

  const { flush, close } = flushEachMinute(write, now);

  return {
    countRequest(keyId, status) {
      const counted = countsOf(keyId);
      counted.requests += 1;
      if (status >= 400) counted.errors += 1;
    },
    countBytes(keyId, size) {
      countsOf(keyId).bytes += size;
    },
    async totals() {
      await Promise.all([flush(), flushPeers?.()]);
      const since = firstDay();
      return { since, keys: await log.keyTraffic(since) };
    },
    flush,
    close,
  };
}
