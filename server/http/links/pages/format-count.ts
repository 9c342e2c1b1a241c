const counts = new Intl.NumberFormat("en");

/** "1 file", "12,000 files". */
export const formatCount = (count: number, one: string): string =>
  `${counts.format(count)} ${count === 1 ? one : `${one}s`}`;

/** "12,000". */
export const formatNumber = (count: number): string => counts.format(count);
