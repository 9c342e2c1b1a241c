import type { TrafficLog } from "../catalog/port.ts";
import type { HourOfTraffic, Millis } from "../rules/records.ts";

/**
 * Counts the requests for files and the bytes that went out for them, in memory, and adds them to
 * the catalog each minute. What a crash takes is the last minute.
 */
export interface Traffic {
  /** A request for a file was answered with this status. */
  answered(status: number): void;
  /** So many bytes of files were promised to a client. */
  sending(bytes: number): void;
  /** By the hour, oldest first, from the hour of this moment on to now, with those of no traffic. */
  since(moment: Millis): Promise<HourOfTraffic[]>;
  /** Writes what is counted, or keeps it when that cannot be done. */
  settle(): Promise<void>;
  /** The same, at the end. */
  close(): Promise<void>;
}

export interface TrafficParts {
  readonly log: TrafficLog;
  readonly onError: (message: string, cause: unknown) => void;
  readonly now?: () => Millis;
}

export const HOUR = 3_600_000;
const MINUTE = 60_000;
const KEPT = 90 * 24 * HOUR;

const hourOf = (moment: Millis): Millis => Math.floor(moment / HOUR) * HOUR;

export function createTraffic({ log, onError, now = Date.now }: TrafficParts): Traffic {
  let requests = 0;
  let bytes = 0;
  let errors = 0;
  /** The hour that is being counted: minutes are flushed as they end, so none lies in two. */
  let hour = hourOf(now());
  let prunedAt = 0;
  let timer: Timer | undefined;
  let last: Promise<void> = Promise.resolve();

  /** One after another, so that whoever asks knows of what is just being written, too. */
  function settle(): Promise<void> {
    last = last.then(flush);
    return last;
  }

  async function flush(): Promise<void> {
    const counted = { hour, requests, bytes, errors };
    hour = hourOf(now());
    if (counted.requests > 0 || counted.bytes > 0) {
      requests = 0;
      bytes = 0;
      errors = 0;
      try {
        await log.addTraffic([counted]);
      } catch (cause) {
        onError("Traffic could not be added up yet", cause);
        requests += counted.requests;
        bytes += counted.bytes;
        errors += counted.errors;
      }
    }
    if (hour === prunedAt) return;
    prunedAt = hour;
    await log
      .removeTraffic(hour - KEPT)
      .catch((cause: unknown) => onError("Old traffic could not be forgotten yet", cause));
  }

  function schedule(): void {
    timer = setTimeout(() => void settle().finally(schedule), MINUTE - (now() % MINUTE));
    timer.unref();
  }
  schedule();

  return {
    answered(status) {
      requests += 1;
      if (status >= 400) errors += 1;
    },
    sending(size) {
      bytes += size;
    },
    async since(moment) {
      const from = hourOf(moment);
      const known = new Map((await log.traffic(from)).map((each) => [each.hour, each]));
      const hours: HourOfTraffic[] = [];
      for (let at = from; at <= hourOf(now()); at += HOUR) {
        const kept = known.get(at) ?? { hour: at, requests: 0, bytes: 0, errors: 0 };
        const counting = at === hour ? { requests, bytes, errors } : nothing;
        hours.push({
          hour: at,
          requests: kept.requests + counting.requests,
          bytes: kept.bytes + counting.bytes,
          errors: kept.errors + counting.errors,
        });
      }
      return hours;
    },
    settle,
    async close() {
      clearTimeout(timer);
      await settle();
    },
  };
}

const nothing = { requests: 0, bytes: 0, errors: 0 };
