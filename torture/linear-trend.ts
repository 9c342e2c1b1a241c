export interface Sample {
  /** In seconds. */
  readonly at: number;
  readonly value: number;
}

export interface Trend {
  /** Growth per second. */
  readonly slope: number;
  /** Root mean square distance of the samples from the line. */
  readonly scatter: number;
}

/** The lowest sample of each interval of this many seconds. */
export function lowestSamples(samples: readonly Sample[], seconds: number): Sample[] {
  const intervals = Map.groupBy(samples, ({ at }) => Math.floor(at / seconds));
  return [...intervals.values()].map((interval) =>
    interval.reduce((lowest, sample) => (sample.value < lowest.value ? sample : lowest)),
  );
}

/** Least-squares line through the samples. */
export function linearTrend(samples: readonly Sample[]): Trend {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const [at, value] = [mean(samples.map((one) => one.at)), mean(samples.map((one) => one.value))];
  const spread = mean(samples.map((one) => (one.at - at) ** 2));
  const common = mean(samples.map((one) => (one.at - at) * (one.value - value)));
  const slope = spread === 0 ? 0 : common / spread;
  const off = samples.map((one) => (one.value - value - slope * (one.at - at)) ** 2);
  return { slope, scatter: Math.sqrt(mean(off)) };
}
