const UNITS = ["B", "KB", "MB", "GB", "TB", "PB"];

/** Bytes in decimal units, as the dashboard shows them: "0 B", "12.4 MB". */
export function formatSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // A value that would round to four digits moves to the next unit.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : 1;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}

const counts = new Intl.NumberFormat("en");

/** "1 file", "12,000 files". */
export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${counts.format(count)} ${count === 1 ? one : many}`;
