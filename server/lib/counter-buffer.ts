/** Adds up counts by subject. */
export interface Tally<T> {
  add(subject: string, counts: T): void;
  get(subject: string): Mutable<T> | undefined;
  /** Returns all counts, and begins anew. */
  take(): Iterable<readonly [subject: string, counts: T]>;
}

/** The counts of a subject in a period. */
export type Counted<T> = T & {
  /** The start of the period, in milliseconds since 1970; 0 without periods. */
  readonly period: number;
  readonly subject: string;
};

/**
 * Adds up counts in memory and writes them together, so that a flood of requests does not become a flood of
 * writes. After a minute without counts, the first ones are written within a second, all others at the end
 * of the minute: so a crash loses the last minute, and counts never span two hours or days.
 */
export interface CounterBuffer<T> extends Buffered {
  /** Adds to the counts of a subject in the current period. */
  add(subject: string, counts: T): void;
  /**
   * The sum of a subject in the current period, which the caller may change: what is counted for every request
   * costs less so. Valid until the caller waits; undefined: nothing was added yet.
   */
  sumOf(subject: string): Mutable<T> | undefined;
  /** The counts that are not written yet, then those that are being written. */
  unwritten(subject: string, period?: number): T[];
  /** Writes the counts of all workers. Await this before reading what was written. */
  flushAll(): Promise<void>;
}

export interface Buffered {
  /** Writes the counts, or keeps them when writing fails. Awaits earlier flushes, too. Never throws. */
  flush(): Promise<void>;
  /** Writes the counts and stops the timer. */
  close(): Promise<void>;
}

/** Counts in periods, such as hours, of which the oldest are removed. */
export interface Periods {
  /** The length of a period, in milliseconds. */
  readonly length: number;
  /** How many periods are kept besides the current one. */
  readonly kept: number;
  /** Removes the periods that began before a moment. */
  remove(before: number): Promise<void>;
}

/** How a buffer reports failures and reaches the other workers. */
export interface CounterBufferDeps {
  readonly onError: (message: string, cause: unknown) => void;
  /** Makes the other workers write their counts. */
  readonly flushPeers?: (() => Promise<void>) | undefined;
  readonly now?: (() => number) | undefined;
}

export interface CounterBufferOptions<T> {
  /** What is counted, for messages: "visits of links". */
  readonly name: string;
  readonly newTally: () => Tally<T>;
  /** Writes all of these counts or none. */
  readonly write: (counted: readonly Counted<T>[]) => Promise<void>;
  /** Default: everything is one period. */
  readonly periods?: Periods;
}

const MINUTE = 60_000;
/** Time from the first count after a minute without counts to its write. */
const FIRST_DELAY_MS = 1000;

export function createCounterBuffer<T extends object>(
  { name, newTally, write, periods }: CounterBufferOptions<T>,
  { onError, flushPeers, now = Date.now }: CounterBufferDeps,
): CounterBuffer<T> {
  /** By period: those of earlier ones could not be written yet. */
  let tallies = new Map<number, Tally<T>>();
  let writing = new Map<string, Counted<T>>();
  /** The period of new counts. Each flush sets it, since asking the clock for each count costs more. */
  let period = currentPeriod();
  /** The tally of that period, kept at hand, since every request is counted; undefined: it has no counts. */
  let current: Tally<T> | undefined;
  let prunedAt: number | undefined;
  let timer: Timer | undefined;
  let lastFlush: Promise<void> = Promise.resolve();
  let isIdle = true;
  let isClosed = false;

  function currentPeriod(): number {
    return periods === undefined ? 0 : Math.floor(now() / periods.length) * periods.length;
  }

  function tallyOf(countedIn: number): Tally<T> {
    const tally = tallies.get(countedIn) ?? newTally();
    tallies.set(countedIn, tally);
    return tally;
  }

  async function writeNow(): Promise<void> {
    const taken = tallies;
    tallies = new Map();
    current = undefined;
    period = currentPeriod();
    const oldest = periods === undefined ? 0 : period - periods.kept * periods.length;
    for (const [countedIn, tally] of taken) {
      if (countedIn < oldest) continue;
      for (const [subject, counts] of tally.take()) {
        writing.set(keyOf(countedIn, subject), { ...counts, period: countedIn, subject });
      }
    }
    const counted = [...writing.values()];
    if (counted.length > 0) {
      try {
        await write(counted);
      } catch (cause) {
        onError(`The ${name} could not be written yet`, cause);
        for (const each of counted) tallyOf(each.period).add(each.subject, each);
      }
      writing = new Map();
    }
    if (periods !== undefined && prunedAt !== period) await prune(periods, oldest);
  }

  async function prune({ remove }: Periods, before: number): Promise<void> {
    prunedAt = period;
    try {
      await remove(before);
    } catch (cause) {
      onError(`Old ${name} could not be removed yet`, cause);
    }
  }

  function flush(): Promise<void> {
    lastFlush = lastFlush.then(writeNow);
    return lastFlush;
  }

  function flushIn(delay: number): void {
    clearTimeout(timer);
    if (isClosed) return;
    timer = setTimeout(() => {
      isIdle = tallies.size === 0;
      void flush().finally(() => flushIn(restOfMinute()));
    }, delay);
    timer.unref();
  }

  const restOfMinute = (): number => MINUTE - (now() % MINUTE);
  flushIn(restOfMinute());

  return {
    add(subject, counts) {
      current ??= tallyOf(period);
      current.add(subject, counts);
      if (!isIdle) return;
      isIdle = false;
      flushIn(Math.min(FIRST_DELAY_MS, restOfMinute()));
    },
    sumOf: (subject) => current?.get(subject),
    unwritten(subject, countedIn = 0) {
      const counts = [tallies.get(countedIn)?.get(subject), writing.get(keyOf(countedIn, subject))];
      return counts.filter((each) => each !== undefined);
    },
    flush,
    async flushAll() {
      await Promise.all([flush(), flushPeers?.()]);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await flush();
    },
  };
}

const keyOf = (period: number, subject: string): string => `${period} ${subject}`;

export type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

/** Changes a sum by counts. In place, since every request is counted, and a new object for each costs more. */
export type AddTo<T> = (sum: Mutable<T>, counts: T) => void;

/** Adds up counts. Subjects beyond a maximum are not counted. */
export function createTally<T extends object>(
  addTo: AddTo<T>,
  max = Number.POSITIVE_INFINITY,
): Tally<T> {
  let tally = new Map<string, Mutable<T>>();
  return {
    add(subject, counts) {
      const sum = tally.get(subject);
      if (sum !== undefined) addTo(sum, counts);
      else if (tally.size < max) tally.set(subject, { ...counts });
    },
    get: (subject) => tally.get(subject),
    take() {
      const taken = tally;
      tally = new Map();
      return taken;
    },
  };
}
