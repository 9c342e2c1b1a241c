/** The Mann-Whitney U test of two samples, with ties. */
export interface Ranked {
  /** The probability that a value of the first sample is greater, with ties counted half. */
  readonly share: number;
  /** The two-sided p-value. */
  readonly p: number;
}

export function rankTest(first: readonly number[], second: readonly number[]): Ranked {
  const all = [
    ...first.map((value) => ({ value, mine: true })),
    ...second.map((value) => ({ value, mine: false })),
  ].sort((a, b) => a.value - b.value);
  let [rankSum, ties, at] = [0, 0, 0];
  while (at < all.length) {
    let end = at;
    while (all[end]?.value === all[at]?.value && end < all.length) end += 1;
    const rank = (at + 1 + end) / 2;
    rankSum += rank * all.slice(at, end).filter(({ mine }) => mine).length;
    ties += (end - at) ** 3 - (end - at);
    at = end;
  }
  const [n, m] = [first.length, second.length];
  const u = rankSum - (n * (n + 1)) / 2;
  const total = n + m;
  const deviation = Math.sqrt(((n * m) / 12) * (total + 1 - ties / (total * (total - 1))));
  const z = (u - (n * m) / 2) / deviation;
  return { share: u / (n * m), p: 2 * (1 - normal(Math.abs(z))) };
}

/** The normal distribution function (Abramowitz and Stegun 26.2.17). */
function normal(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const terms = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
  const sum = terms.reduceRight((rest, term) => (rest + term) * t, 0);
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum;
}
