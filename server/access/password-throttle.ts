import { Fault } from "../rules/fault.ts";
import { createTwoGenerationCache } from "../rules/two-generation-cache.ts";

/** Protects passwords against brute force: after a few failures, each further one doubles the wait. */
export interface PasswordThrottle {
  /**
   * Counts an attempt before its outcome is known, so that concurrent attempts count too. Fault
   * "rate_limited" with the wait, counting nothing, while any of the subjects has to wait.
   */
  attempt(...subjects: ThrottleSubject[]): void | Promise<void>;
  /** The attempt succeeded: removes the failures of the subjects. */
  reset(...subjects: ThrottleSubject[]): void | Promise<void>;
}

/** Counts in this process and answers synchronously. */
export interface MemoryPasswordThrottle extends PasswordThrottle {
  attempt(...subjects: ThrottleSubject[]): void;
  reset(...subjects: ThrottleSubject[]): void;
}

/** Whose failures are counted together, and how long they have to wait. */
export interface ThrottleSubject {
  readonly kind: string;
  /** Callers keep it short. */
  readonly id: string;
  /** Attempts before the first wait. */
  readonly freeAttempts: number;
  readonly maxWaitMs: number;
}

interface Failures {
  readonly count: number;
  /** When the next attempt is allowed, on the throttle's clock. */
  readonly waitsUntil: number;
}

/** The wait after the last free attempt. */
export const FIRST_WAIT_MS = 1000;
/** Failures expire after this long without another. */
export const FAILURES_EXPIRE_MS = 24 * 3600 * 1000;

export interface PasswordThrottleOptions {
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
  /** Beyond that, the subjects without recent attempts are dropped. */
  readonly maxSubjects?: number;
}

export function createPasswordThrottle(
  options: PasswordThrottleOptions = {},
): MemoryPasswordThrottle {
  const { now = () => performance.now(), maxSubjects = 50_000 } = options;
  // An attempt makes its subject young again, so an account under attack is never dropped.
  const failuresByKey = createTwoGenerationCache<string, Failures>(maxSubjects);

  function failuresOf(subject: ThrottleSubject, time: number): Failures | undefined {
    const found = failuresByKey.get(keyOf(subject));
    return found !== undefined && time < found.waitsUntil + FAILURES_EXPIRE_MS ? found : undefined;
  }

  return {
    attempt(...subjects) {
      const time = now();
      const ends = subjects.map((each) => failuresOf(each, time)?.waitsUntil ?? 0);
      const waitsUntil = Math.max(0, ...ends);
      if (waitsUntil > time) throw tooManyFailures(waitsUntil - time);
      for (const subject of subjects) {
        const count = (failuresOf(subject, time)?.count ?? 0) + 1;
        const waitsUntil = time + waitAfter(count, subject);
        failuresByKey.set(keyOf(subject), { count, waitsUntil }, 1);
      }
    },
    reset(...subjects) {
      for (const subject of subjects) failuresByKey.delete(keyOf(subject));
    },
  };
}

export function tooManyFailures(waitMs: number): Fault {
  const retryAfter = Math.ceil(waitMs / 1000);
  return new Fault("rate_limited", `Too many failed attempts. Try again in ${retryAfter} s.`, {
    retryAfter,
  });
}

const keyOf = ({ kind, id }: ThrottleSubject): string => `${kind} ${id}`;

/** In milliseconds: 0 for the free attempts, then 1 s, 2 s, 4 s … up to the maximum. */
function waitAfter(count: number, { freeAttempts, maxWaitMs }: ThrottleSubject): number {
  if (count < freeAttempts) return 0;
  return Math.min(FIRST_WAIT_MS * 2 ** (count - freeAttempts), maxWaitMs);
}
