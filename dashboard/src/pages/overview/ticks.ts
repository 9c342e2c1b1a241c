/** Where the lines of a chart lie: from 0, at round numbers, up to or past `most`; whole numbers only. */
export function ticksFor(most: number): number[] {
  const step = roundStep(Math.max(1, most) / 4);
  const count = Math.ceil(Math.max(1, most) / step);
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** The smallest of 1, 2, 5, 10, 20, 50 … that is not below `least`. */
function roundStep(least: number): number {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(least)));
  const factor = [1, 2, 5, 10].find((each) => each * power >= least) ?? 10;
  return factor * power;
}
