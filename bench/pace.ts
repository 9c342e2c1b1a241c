/** How long side-by-side measurements take: short for working on something, longer to be quoted. */
export interface Pace {
  /** Of each contender, in turn; the median counts. */
  readonly runs: number;
  /** Of each run. */
  readonly seconds: number;
}
