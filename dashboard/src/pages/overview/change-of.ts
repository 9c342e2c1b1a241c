const percent = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 0 });

/** Of a few requests, ten times as many say little. */
const MAX_FACTOR = 10;

/** Compares a total with the one before: "12% more than". undefined: nothing can be compared with nothing. */
export function changeOf(total: number, before: number): string | undefined {
  if (before === 0) return undefined;
  const factor = total / before;
  if (factor > MAX_FACTOR) return `over ${MAX_FACTOR} times`;
  const change = percent.format(Math.abs(factor - 1));
  if (change === percent.format(0)) return "about the same as";
  return `${change} ${factor > 1 ? "more" : "less"} than`;
}
