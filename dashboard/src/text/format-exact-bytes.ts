/** Binary units of bytes, largest first. */
export const BINARY_UNITS = [
  { label: "TiB", bytes: 1024 ** 4 },
  { label: "GiB", bytes: 1024 ** 3 },
  { label: "MiB", bytes: 1024 ** 2 },
  { label: "KiB", bytes: 1024 },
  { label: "bytes", bytes: 1 },
] as const;

const grouped = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });

/** Formats bytes exactly, in the largest binary unit that divides them: "5 GiB". */
export function formatExactBytes(bytes: number): string {
  const unit = BINARY_UNITS.find((each) => bytes >= each.bytes && bytes % each.bytes === 0);
  return `${grouped.format(bytes / (unit?.bytes ?? 1))} ${unit?.label ?? "bytes"}`;
}
