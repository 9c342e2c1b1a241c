/** How long comparisons run: short while you work on something, long for figures to publish. */
export interface RunLength {
  /** Runs of each contender, in turns; the median counts. */
  readonly runs: number;
  /** Seconds per run. */
  readonly seconds: number;
}
