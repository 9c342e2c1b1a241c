import { Fault } from "../rules/fault.ts";

/** Slows down guessing: after a few failures, each further one doubles the wait. */
export interface Throttle {
  /** Fault "limited" with the wait, while any of the subjects has to wait. */
  check(...subjects: string[]): void;
  fail(...subjects: string[]): void;
  /** A right answer: the subjects start anew. */
  reset(...subjects: string[]): void;
}

interface Failures {
  count: number;
  /** Until when, on the throttle's clock. */
  until: number;
}

const FREE_TRIES = 5;
const FIRST_WAIT = 1000;
/** The longest wait: who owns an account under attack is never shut out for longer. */
const LONGEST_WAIT = 15 * 60_000;
const MAX_SUBJECTS = 100_000;

/** `now` is in milliseconds of a clock that nobody sets. */
export function createThrottle(now: () => number = () => performance.now()): Throttle {
  /** In the order of the last failure. */
  const failures = new Map<string, Failures>();

  return {
    check(...subjects) {
      const time = now();
      const until = Math.max(0, ...subjects.map((subject) => failures.get(subject)?.until ?? 0));
      if (until <= time) return;
      const retryAfter = Math.ceil((until - time) / 1000);
      throw new Fault("limited", `Too many failed attempts. Try again in ${retryAfter} s.`, {
        retryAfter,
      });
    },
    fail(...subjects) {
      const time = now();
      for (const subject of subjects) {
        const count = (failures.get(subject)?.count ?? 0) + 1;
        const doublings = count - FREE_TRIES;
        const wait = doublings < 0 ? 0 : Math.min(FIRST_WAIT * 2 ** doublings, LONGEST_WAIT);
        failures.delete(subject);
        failures.set(subject, { count, until: time + wait });
      }
      for (const subject of failures.keys()) {
        if (failures.size <= MAX_SUBJECTS) break;
        failures.delete(subject);
      }
    },
    reset(...subjects) {
      for (const subject of subjects) failures.delete(subject);
    },
  };
}
