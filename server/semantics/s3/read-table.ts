/** An entry of a table; the index must be within it. */
export function entry(table: Int32Array | Uint8Array, index: number): number {
  return table[index] as number;
}

/** Four bytes as a number, the lowest first. */
export function wordAt(bytes: Uint8Array, at: number): number {
  return (
    entry(bytes, at) |
    (entry(bytes, at + 1) << 8) |
    (entry(bytes, at + 2) << 16) |
    (entry(bytes, at + 3) << 24)
  );
}

/**
 * What eight bytes, as two words, contribute to a checksum: an entry of each of eight tables of 256
 * entries, which stand one after the other.
 */
export function mixWords(tables: Int32Array, first: number, second: number): number {
  return (
    entry(tables, 1792 + (first & 255)) ^
    entry(tables, 1536 + ((first >>> 8) & 255)) ^
    entry(tables, 1280 + ((first >>> 16) & 255)) ^
    entry(tables, 1024 + (first >>> 24)) ^
    entry(tables, 768 + (second & 255)) ^
    entry(tables, 512 + ((second >>> 8) & 255)) ^
    entry(tables, 256 + ((second >>> 16) & 255)) ^
    entry(tables, second >>> 24)
  );
}
