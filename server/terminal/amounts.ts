const UNITS = ["bytes", "KB", "MB", "GB", "TB", "PB"];

/** A human-readable size in units of 1024: `4 bytes`, `1.5 GB`. */
export function bytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1023.95 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  if (unit === 0) return value === 1 ? "1 byte" : `${Math.round(value)} bytes`;
  return `${value.toFixed(value < 99.95 ? 1 : 0)} ${UNITS[unit]}`;
}

/** A count with its noun: `1 file`, `12,000 files`. */
export function countText(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}
