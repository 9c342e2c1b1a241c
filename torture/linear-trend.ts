export interface Sample {
  /** In seconds. */
  readonly at: number;
  readonly value: number;
}

export interface Trend {
  /** Growth a second. */
  readonly slope: number;
  /** How far the samples lie from the line, as a rule (root mean square). */
  readonly scatter: number;
}

/** The lowest sample of each stretch of so many seconds. */
export function lowestSamples(samples: readonly Sample[], seconds: number): Sample[] {
  const stretches = Map.groupBy(samples, ({ at }) => Math.floor(at / seconds));
  return [...stretches.values()].map((stretch) =>
    stretch.reduce((lowest, sample) => (sample.value < lowest.value ? sample : lowest)),
  );
}

/** The line that fits the samples best (least squares). */
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
