/** One measured figure and its bar. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** Upper bound; with `atLeast`, a lower bound. */
  readonly bar?: number | undefined;
  readonly atLeast?: true;
  /** The values from which the figure was computed. */
  readonly note?: string;
}

/** Formats one line of the table; `missed` when the figure violates its bar. */
export function figureLine({ what, value, unit, bar, atLeast, note }: Figure): {
  line: string;
  missed: boolean;
} {
  const shown = value.toFixed(value < 10 ? 2 : 0).padStart(9);
  const missed = bar !== undefined && !(atLeast === true ? value >= bar : value <= bar);
  const verdict =
    bar === undefined
      ? ""
      : `  ${missed ? "MISSES" : "within"} ${atLeast === true ? "≥ " : ""}${bar} ${unit}`;
  const made = note === undefined ? "" : `  (${note})`;
  return { line: `${what.padEnd(66)} ${shown} ${unit}${verdict}${made}`, missed };
}

/** The middle value; of an even count, the upper of the two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The value that `share` (0 to 1) of the values do not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
