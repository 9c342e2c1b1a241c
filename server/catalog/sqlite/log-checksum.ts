/** The cumulative checksum of a write-ahead log: two unsigned 32-bit sums. */
export interface Checksum {
  readonly first: number;
  readonly second: number;
}

/** The byte order in which a log with this magic number is summed; undefined: no log has it. */
export function isLittleEndianLog(magic: number): boolean | undefined {
  if (magic === 0x377f0682) return true;
  return magic === 0x377f0683 ? false : undefined;
}

/** Continues a checksum with `length` bytes, a multiple of 8. */
export function addToChecksum(
  { first, second }: Checksum,
  view: DataView,
  start: number,
  length: number,
  littleEndian: boolean,
): Checksum {
  let [a, b] = [first, second];
  for (let at = start; at < start + length; at += 8) {
    a = (a + view.getUint32(at, littleEndian) + b) >>> 0;
    b = (b + view.getUint32(at + 4, littleEndian) + a) >>> 0;
  }
  return { first: a, second: b };
}
