/** Upper bounds of a histogram, in seconds. */
export const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** A histogram of durations. */
export interface DurationCounts {
  /** The number of durations in each of `BUCKETS`; the last number counts those above all buckets. */
  readonly buckets: readonly number[];
  readonly count: number;
  /** The sum of all, in seconds. */
  readonly seconds: number;
}

export interface Durations {
  add(seconds: number): void;
  /** Adds how long the work takes, whether it succeeds or not. */
  measure<Result>(work: () => Promise<Result>): Promise<Result>;
  read(): DurationCounts;
}

export function createDurations(): Durations {
  const buckets = new Array<number>(BUCKETS.length + 1).fill(0);
  let count = 0;
  let sum = 0;

  function add(seconds: number): void {
    let at = 0;
    while (at < BUCKETS.length && seconds > (BUCKETS[at] ?? 0)) at += 1;
    buckets[at] = (buckets[at] ?? 0) + 1;
    count += 1;
    sum += seconds;
  }

  return {
    add,
    async measure(work) {
      const startedAt = performance.now();
      try {
        return await work();
      } finally {
        add((performance.now() - startedAt) / 1000);
      }
    },
    read: () => ({ buckets: [...buckets], count, seconds: sum }),
  };
}

export const addDurations = (one: DurationCounts, other: DurationCounts): DurationCounts => ({
  buckets: one.buckets.map((counted, at) => counted + (other.buckets[at] ?? 0)),
  count: one.count + other.count,
  seconds: one.seconds + other.seconds,
});
