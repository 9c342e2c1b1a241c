const percent = new Intl.NumberFormat(undefined, {
  style: "percent",
  signDisplay: "exceptZero",
  maximumFractionDigits: 0,
});

/** How a total changed: "+12%". undefined: nothing can be compared with nothing. */
export function changeOf(total: number, before: number): string | undefined {
  if (before === 0) return undefined;
  const change = total / before - 1;
  // Of a few requests, ten times as many say little.
  return change > MAX_CHANGE ? `over ${percent.format(MAX_CHANGE)}` : percent.format(change);
}

const MAX_CHANGE = 9.99;
