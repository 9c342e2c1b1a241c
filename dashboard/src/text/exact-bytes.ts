/** Units of bytes in powers of 1,024, the largest first. */
export const BINARY_UNITS = [
  { label: "TiB", bytes: 1024 ** 4 },
  { label: "GiB", bytes: 1024 ** 3 },
  { label: "MiB", bytes: 1024 ** 2 },
  { label: "KiB", bytes: 1024 },
  { label: "bytes", bytes: 1 },
] as const;

const grouped = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });

/** A limit exactly, in the largest unit of which it is a whole number: "5 GiB". */
export function exactBytesText(bytes: number): string {
  const unit = BINARY_UNITS.find((each) => bytes >= each.bytes && bytes % each.bytes === 0);
  return `${grouped.format(bytes / (unit?.bytes ?? 1))} ${unit?.label ?? "bytes"}`;
}
