const UNITS = ["B", "KB", "MB", "GB", "TB", "PB"];

/** Formats bytes in decimal units, rounded: "0 B", "12.4 MB". */
export function formatBytes(bytes: number): string {
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
