/** Binary units of bytes, largest first. */
export const BINARY_UNITS = [
  { label: "TiB", bytes: 1024 ** 4 },
  { label: "GiB", bytes: 1024 ** 3 },
  { label: "MiB", bytes: 1024 ** 2 },
  { label: "KiB", bytes: 1024 },
  { label: "bytes", bytes: 1 },
] as const;

const grouped = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });

/** Decimal units of bytes, largest first. */
export const DECIMAL_UNITS = [
  { label: "TB", bytes: 1000 ** 4 },
  { label: "GB", bytes: 1000 ** 3 },
  { label: "MB", bytes: 1000 ** 2 },
  { label: "KB", bytes: 1000 },
] as const;

const ALL_UNITS = [...BINARY_UNITS, ...DECIMAL_UNITS].sort((a, b) => b.bytes - a.bytes);

/** Formats bytes exactly, in the largest unit that divides them: "5 GiB", "50 MB". */
export function formatExactBytes(bytes: number): string {
  const unit = ALL_UNITS.find((each) => bytes >= each.bytes && bytes % each.bytes === 0);
  return `${grouped.format(bytes / (unit?.bytes ?? 1))} ${unit?.label ?? "bytes"}`;
}
