import { createTwoGenerationCache } from "../lib/two-generation-cache.ts";

/** Protects passwords against brute force. Use it by `checkThrottled`. */
export interface PasswordThrottle {
  /**
   * Begins an attempt, if every subject may have one now. Each allowed attempt needs its `end`; one that
   * never ends is forgotten after `RUN_EXPIRES_MS`.
   */
  begin(...subjects: ThrottleSubject[]): Verdict | Promise<Verdict>;
  end(outcome: Outcome, ...subjects: ThrottleSubject[]): void | Promise<void>;
}

/** Counts in this process and answers synchronously. */
export interface MemoryPasswordThrottle extends PasswordThrottle {
  begin(...subjects: ThrottleSubject[]): Verdict;
  end(outcome: Outcome, ...subjects: ThrottleSubject[]): void;
}

/**
 * "busy": as many attempts run as may fail, so the next one must wait for the end of one of them.
 * A number: the milliseconds to wait, because attempts have failed.
 */
export type Verdict = "allowed" | "busy" | number;

/** "unknown": the secret was not checked, so the attempt does not count. */
export type Outcome = "right" | "wrong" | "unknown";

/**
 * Whose failures are counted together. An attempt has one subject of its own, and at most one shared
 * subject, after it.
 */
export interface ThrottleSubject {
  readonly kind: string;
  /** Callers keep it short. */
  readonly id: string;
  /** Failures before the first wait. */
  readonly freeAttempts: number;
  readonly maxWaitMs: number;
  /**
   * Strangers can make it fail, so it never refuses for long a client that has not failed itself:
   * after the free attempts, clients with less than `FRESH_FAILURES` are allowed at once, within
   * `FRESH_PER_DAY`, and the others in turn. Each refused client gets a time of its own, at which it
   * is allowed whatever others do.
   */
  readonly isShared?: boolean;
}

/** The wait after the last free attempt. Each further failure doubles it. */
export const FIRST_WAIT_MS = 1000;
/** Failures expire after this long without another attempt. */
export const FAILURES_EXPIRE_MS = 24 * 3600 * 1000;
export const RUN_EXPIRES_MS = 30_000;
/** Failures with which a client is new to a shared subject: a typo does not put anybody among the attackers. */
export const FRESH_FAILURES = 2;
/** Bounds the guesses of attackers with many addresses. */
export const FRESH_PER_DAY = 25_000;
/** How long after its time a refused client is still allowed. */
export const TURN_LASTS_MS = 60_000;
/** Nobody gets a time later than that. */
export const LONGEST_QUEUE_MS = 15 * 60_000;

interface Count {
  readonly failures: number;
  /** Attempts that run. */
  readonly running: number;
  /** When the last attempt began. */
  readonly lastAt: number;
  /** When the next attempt is allowed. */
  readonly waitsUntil: number;
  /** The time that a shared subject gave to this client. 0: none. */
  readonly turnAt: number;
  /** The next time that a shared subject gives away. */
  readonly nextTurnAt: number;
  /** The time when new clients of a shared subject have all their attempts again. */
  readonly freshFullAt: number;
}

const NONE: Count = {
  failures: 0,
  running: 0,
  lastAt: 0,
  waitsUntil: 0,
  turnAt: 0,
  nextTurnAt: 0,
  freshFullAt: 0,
};

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
  const counts = createTwoGenerationCache<string, Count>(maxSubjects);

  function countOf(subject: ThrottleSubject, time: number): Count {
    const found = counts.get(keyOf(subject));
    if (found === undefined) return NONE;
    if (time >= Math.max(found.waitsUntil, found.lastAt) + FAILURES_EXPIRE_MS) return NONE;
    return time >= found.lastAt + RUN_EXPIRES_MS ? { ...found, running: 0 } : found;
  }

  const save = (subject: ThrottleSubject, count: Count): void =>
    counts.set(keyOf(subject), count, 1);

  return {
    begin(...subjects) {
      const time = now();
      const found = subjects.map((subject) => ({ subject, count: countOf(subject, time) }));
      const { verdict, changed } = decide(found, time);
      for (const { subject, count } of changed) save(subject, count);
      return verdict;
    },
    end(outcome, ...subjects) {
      const time = now();
      for (const subject of subjects) {
        const count = countOf(subject, time);
        const running = Math.max(0, count.running - 1);
        if (outcome === "unknown") save(subject, { ...count, running });
        else if (outcome === "wrong") save(subject, failed({ ...count, running }, subject, time));
        else if (running === 0 && subject.isShared !== true) counts.delete(keyOf(subject));
        // The attempts of new clients stay bounded: successes of others must not give attackers more.
        else save(subject, { ...NONE, running, lastAt: time, freshFullAt: count.freshFullAt });
      }
    },
  };
}

interface Counted {
  readonly subject: ThrottleSubject;
  readonly count: Count;
}

interface Decision {
  readonly verdict: Verdict;
  readonly changed: readonly Counted[];
}

function decide(all: readonly Counted[], time: number): Decision {
  const waitMs = Math.max(0, ...all.map(({ count }) => count.waitsUntil - time));
  if (waitMs > 0) return refuse(waitMs);
  const [own, ...others] = all;
  if (own === undefined || isBusy(own)) return refuse("busy");
  const begun = { subject: own.subject, count: started(own.count, time) };
  const shared = others[0];
  if (shared === undefined) return { verdict: "allowed", changed: [begun] };
  const allow = (change: Partial<Count> = {}): Decision => ({
    verdict: "allowed",
    changed: [
      { subject: begun.subject, count: { ...begun.count, turnAt: 0 } },
      { subject: shared.subject, count: { ...started(shared.count, time), ...change } },
    ],
  });
  const { freeAttempts } = shared.subject;
  const { failures, running, freshFullAt } = shared.count;
  if (failures + running < freeAttempts) return allow();
  const isFresh = own.count.failures < FRESH_FAILURES;
  if (isFresh && freshFullAt - time < FAILURES_EXPIRE_MS) {
    if (own.count.failures + own.count.running >= FRESH_FAILURES) return refuse("busy");
    const step = FAILURES_EXPIRE_MS / FRESH_PER_DAY;
    return allow({ freshFullAt: Math.max(freshFullAt, time) + step });
  }
  return failures < freeAttempts ? refuse("busy") : takeTurn(own, shared, time, allow);
}

function takeTurn(
  own: Counted,
  shared: Counted,
  time: number,
  allow: (change?: Partial<Count>) => Decision,
): Decision {
  const { turnAt } = own.count;
  if (turnAt > time) return refuse(turnAt - time);
  if (turnAt > 0 && time < turnAt + TURN_LASTS_MS) return allow();
  const { failures, nextTurnAt } = shared.count;
  const interval = waitAfter(failures, shared.subject);
  if (nextTurnAt <= time) return allow({ nextTurnAt: time + interval });
  if (nextTurnAt - time > LONGEST_QUEUE_MS) return refuse(LONGEST_QUEUE_MS);
  return {
    verdict: nextTurnAt - time,
    changed: [
      { subject: own.subject, count: { ...own.count, turnAt: nextTurnAt, lastAt: time } },
      { subject: shared.subject, count: { ...shared.count, nextTurnAt: nextTurnAt + interval } },
    ],
  };
}

const refuse = (verdict: Verdict): Decision => ({ verdict, changed: [] });

/** Together with those that run, only as many may begin as may fail; after the free attempts one. */
const isBusy = ({ subject, count }: Counted): boolean =>
  count.running >= Math.max(1, subject.freeAttempts - count.failures);

const started = (count: Count, time: number): Count => ({
  ...count,
  running: count.running + 1,
  lastAt: time,
});

function failed(count: Count, subject: ThrottleSubject, time: number): Count {
  const failures = count.failures + 1;
  const wait = subject.isShared === true ? 0 : waitAfter(failures, subject);
  return { ...count, failures, waitsUntil: wait === 0 ? count.waitsUntil : time + wait };
}

const keyOf = ({ kind, id }: ThrottleSubject): string => `${kind} ${id}`;

/** In milliseconds: 0 for the free attempts, then 1 s, 2 s, 4 s … up to the maximum. */
function waitAfter(failures: number, { freeAttempts, maxWaitMs }: ThrottleSubject): number {
  if (failures < freeAttempts) return 0;
  return Math.min(FIRST_WAIT_MS * 2 ** (failures - freeAttempts), maxWaitMs);
}
