import { Fault } from "../rules/fault.ts";

/** Slows down guessing: after a few failures, each further one doubles the wait. */
export interface PasswordThrottle {
  /**
   * Counts a try before it is known how it ends, so that tries side by side do not all get in for
   * free. Fault "rate_limited" with the wait, counting nothing, while any of the subjects has to wait.
   */
  attempt(...subjects: ThrottleSubject[]): void | Promise<void>;
  /** The try was right: the subjects start anew. */
  forgive(...subjects: ThrottleSubject[]): void | Promise<void>;
}

/** One in this process's memory answers at once. */
export interface MemoryPasswordThrottle extends PasswordThrottle {
  attempt(...subjects: ThrottleSubject[]): void;
  forgive(...subjects: ThrottleSubject[]): void;
}

/** Whose failures are counted together, and how patiently. */
export interface ThrottleSubject {
  readonly kind: string;
  /** Of any length when it comes from outside: the caller sees to it that it is short. */
  readonly id: string;
  readonly freeTries: number;
  /** In milliseconds. */
  readonly longestWait: number;
}

interface Failures {
  readonly count: number;
  /** Until when, on the throttle's clock. */
  readonly until: number;
}

/** Milliseconds after the last of the free tries. */
export const FIRST_WAIT = 1000;
/** Failures count no more after this long without another. */
export const FORGIVEN_AFTER = 24 * 3600 * 1000;

export interface PasswordThrottleOptions {
  /** Milliseconds of a clock that nobody sets. */
  readonly now?: () => number;
  /** Past it, subjects that have long not been tried are forgotten. */
  readonly maxSubjects?: number;
}

export function createPasswordThrottle(
  options: PasswordThrottleOptions = {},
): MemoryPasswordThrottle {
  const { now = () => performance.now(), maxSubjects = 50_000 } = options;
  // Two generations: when the young one is full it becomes the old one, and the old one goes. What
  // is tried again moves back among the young, so an account under attack is never forgotten.
  let young = new Map<string, Failures>();
  let old = new Map<string, Failures>();

  function failuresOf(subject: ThrottleSubject, time: number): Failures | undefined {
    const name = nameOf(subject);
    const found = young.get(name) ?? old.get(name);
    return found !== undefined && time < found.until + FORGIVEN_AFTER ? found : undefined;
  }

  function note(subject: ThrottleSubject, failures: Failures): void {
    if (young.size >= maxSubjects / 2) {
      old = young;
      young = new Map();
    }
    young.set(nameOf(subject), failures);
  }

  return {
    attempt(...subjects) {
      const time = now();
      const until = Math.max(0, ...subjects.map((each) => failuresOf(each, time)?.until ?? 0));
      if (until > time) throw tooManyFailures(until - time);
      for (const subject of subjects) {
        const count = (failuresOf(subject, time)?.count ?? 0) + 1;
        note(subject, { count, until: time + waitAfter(count, subject) });
      }
    },
    forgive(...subjects) {
      for (const subject of subjects) {
        young.delete(nameOf(subject));
        old.delete(nameOf(subject));
      }
    },
  };
}

/** For whoever has to wait for so many milliseconds. */
export function tooManyFailures(wait: number): Fault {
  const retryAfter = Math.ceil(wait / 1000);
  return new Fault("rate_limited", `Too many failed attempts. Try again in ${retryAfter} s.`, {
    retryAfter,
  });
}

const nameOf = ({ kind, id }: ThrottleSubject): string => `${kind} ${id}`;

/** None up to the free tries, then 1 s, 2 s, 4 s … up to the longest. In milliseconds. */
function waitAfter(count: number, { freeTries, longestWait }: ThrottleSubject): number {
  if (count < freeTries) return 0;
  return Math.min(FIRST_WAIT * 2 ** (count - freeTries), longestWait);
}
