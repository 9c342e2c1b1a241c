import type { TrafficLog } from "../catalog/port/insight.ts";
import type { HourlyTraffic, Millis } from "../rules/records.ts";

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

export interface TrafficParts {
  readonly log: TrafficLog;
  readonly onError: (message: string, cause: unknown) => void;
  /** Makes the other workers write their counts; awaited before each read. */
  readonly flushPeers?: () => Promise<void>;
  readonly now?: () => Millis;
}

export const HOUR = 3_600_000;
const MINUTE = 60_000;
const RETENTION_MS = 90 * 24 * HOUR;

const hourOf = (moment: Millis): Millis => Math.floor(moment / HOUR) * HOUR;

export function createTraffic(parts: TrafficParts): Traffic {
  const { log, onError, flushPeers, now = Date.now } = parts;
  let requests = 0;
  let bytes = 0;
  let errors = 0;
  /** The hour of the counts: they are flushed at the end of each minute, so they never span two. */
  let hour = hourOf(now());
  let prunedAt = 0;
  let timer: Timer | undefined;
  let lastFlush: Promise<void> = Promise.resolve();

  /** Flushes run one after another, so that awaiting one also awaits those already running. */
  function flush(): Promise<void> {
    lastFlush = lastFlush.then(write);
    return lastFlush;
  }

  async function write(): Promise<void> {
    const counts = { hour, requests, bytes, errors };
    hour = hourOf(now());
    if (counts.requests > 0 || counts.bytes > 0) {
      requests = 0;
      bytes = 0;
      errors = 0;
      try {
        await log.addTraffic([counts]);
      } catch (cause) {
        onError("The traffic counts could not be written yet", cause);
        requests += counts.requests;
        bytes += counts.bytes;
        errors += counts.errors;
      }
    }
    if (hour === prunedAt) return;
    prunedAt = hour;
    await log
      .removeTraffic(hour - RETENTION_MS)
      .catch((cause: unknown) => onError("Old traffic counts could not be removed yet", cause));
  }

  function schedule(): void {
    timer = setTimeout(() => void flush().finally(schedule), MINUTE - (now() % MINUTE));
    timer.unref();
  }
  schedule();

  return {
    countRequest(status) {
      requests += 1;
      if (status >= 400) errors += 1;
    },
    countBytes(size) {
      bytes += size;
    },
    async since(moment) {
      await flushPeers?.();
      const from = hourOf(moment);
      const written = new Map((await log.traffic(from)).map((each) => [each.hour, each]));
      const hours: HourlyTraffic[] = [];
      for (let at = from; at <= hourOf(now()); at += HOUR) {
        const stored = written.get(at) ?? NO_TRAFFIC;
        const unwritten = at === hour ? { requests, bytes, errors } : NO_TRAFFIC;
        hours.push({
          hour: at,
          requests: stored.requests + unwritten.requests,
          bytes: stored.bytes + unwritten.bytes,
          errors: stored.errors + unwritten.errors,
        });
      }
      return hours;
    },
    flush,
    async close() {
      clearTimeout(timer);
      await flush();
    },
  };
}

const NO_TRAFFIC = { requests: 0, bytes: 0, errors: 0 };
