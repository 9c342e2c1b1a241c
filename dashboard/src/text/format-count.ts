const grouped = new Intl.NumberFormat();

/** Formats a count with its noun: "1 file", "1,204 files". */
export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${grouped.format(count)} ${count === 1 ? one : many}`;
