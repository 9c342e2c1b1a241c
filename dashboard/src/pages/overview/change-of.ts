const percent = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 0 });

/** Factors above this are not shown exactly: after a few requests, ten times as many say little. */
const MAX_FACTOR = 10;

export interface Change {
  readonly trend: "up" | "down" | "same";
  /** To be followed by a time: "12% more than". */
  readonly text: string;
}

/** Compares a total with the one before. undefined: nothing can be compared with nothing. */
export function changeOf(total: number, before: number): Change | undefined {
  if (before === 0) return undefined;
  const factor = total / before;
  if (factor > MAX_FACTOR) return { trend: "up", text: `over ${MAX_FACTOR} times` };
  const change = percent.format(Math.abs(factor - 1));
  if (change === percent.format(0)) return { trend: "same", text: "about the same as" };
  if (factor > 1) return { trend: "up", text: `${change} more than` };
  // "100% less" would mean none at all.
  const isRoundedUp = total > 0 && change === percent.format(1);
  const less = isRoundedUp ? `over ${percent.format(0.99)}` : change;
  return { trend: "down", text: `${less} less than` };
}
