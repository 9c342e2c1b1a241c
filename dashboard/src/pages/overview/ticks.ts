/** Ticks of an axis: whole round numbers from 0 up to or past `max`. */
export function ticksFor(max: number): number[] {
  const step = roundStep(Math.max(1, max) / 4);
  const count = Math.ceil(Math.max(1, max) / step);
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** The smallest of 1, 2, 5, 10, 20, 50 … that is at least `min`. */
function roundStep(min: number): number {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(min)));
  const factor = [1, 2, 5, 10].find((each) => each * power >= min) ?? 10;
  return factor * power;
}
