import { Fault } from "../rules/fault.ts";

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
  // Two generations: a full young one replaces the old one. An attempt moves its subject into the
  // young one, so an account under attack is never dropped.
  let young = new Map<string, Failures>();
  let old = new Map<string, Failures>();

  function failuresOf(subject: ThrottleSubject, time: number): Failures | undefined {
    const key = keyOf(subject);
    const found = young.get(key) ?? old.get(key);
    return found !== undefined && time < found.waitsUntil + FAILURES_EXPIRE_MS ? found : undefined;
  }

  function store(subject: ThrottleSubject, failures: Failures): void {
    if (young.size >= maxSubjects / 2) {
      old = young;
      young = new Map();
    }
    young.set(keyOf(subject), failures);
  }

  return {
    attempt(...subjects) {
      const time = now();
      const ends = subjects.map((each) => failuresOf(each, time)?.waitsUntil ?? 0);
      const waitsUntil = Math.max(0, ...ends);
      if (waitsUntil > time) throw tooManyFailures(waitsUntil - time);
      for (const subject of subjects) {
        const count = (failuresOf(subject, time)?.count ?? 0) + 1;
        store(subject, { count, waitsUntil: time + waitAfter(count, subject) });
      }
    },
    reset(...subjects) {
      for (const subject of subjects) {
        young.delete(keyOf(subject));
        old.delete(keyOf(subject));
      }
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
