/** The result of a Mann–Whitney U test, corrected for ties. */
export interface RankTestResult {
  /** The probability that a value of the first sample is the greater, ties counting half. 0.5: equal. */
  readonly share: number;
  /** Two-sided: the probability of such a difference between samples of the same distribution. */
  readonly p: number;
}

/** Tests whether two samples come from the same distribution. */
export function rankTest(first: readonly number[], second: readonly number[]): RankTestResult {
  const all = [
    ...first.map((value) => ({ value, isFirst: true })),
    ...second.map((value) => ({ value, isFirst: false })),
  ].sort((a, b) => a.value - b.value);
  let [rankSum, ties, at] = [0, 0, 0];
  while (at < all.length) {
    let end = at;
    while (all[end]?.value === all[at]?.value && end < all.length) end += 1;
    const rank = (at + 1 + end) / 2;
    rankSum += rank * all.slice(at, end).filter(({ isFirst }) => isFirst).length;
    ties += (end - at) ** 3 - (end - at);
    at = end;
  }
  const [n, m] = [first.length, second.length];
  const u = rankSum - (n * (n + 1)) / 2;
  const total = n + m;
  const deviation = Math.sqrt(((n * m) / 12) * (total + 1 - ties / (total * (total - 1))));
  const z = (u - (n * m) / 2) / deviation;
  return { share: u / (n * m), p: 2 * (1 - normalCdf(Math.abs(z))) };
}

/** The cumulative distribution function of the normal distribution: Abramowitz and Stegun 26.2.17. */
function normalCdf(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const terms = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
  const sum = terms.reduceRight((rest, term) => (rest + term) * t, 0);
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum;
}
