/** CRC-32C (Castagnoli), reflected, as in RFC 3720. */
const POLYNOMIAL = 0x82f63b78;

/** Eight tables of 256 entries, one after the other: eight bytes are taken at once. */
const TABLES = createTables();

function createTables(): Int32Array {
  const tables = new Int32Array(8 * 256);
  for (let byte = 0; byte < 256; byte += 1) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? POLYNOMIAL : 0);
    tables[byte] = crc;
  }
  for (let at = 256; at < tables.length; at += 1) {
    const before = entry(tables, at - 256);
    tables[at] = (before >>> 8) ^ entry(tables, before & 255);
  }
  return tables;
}

/** An index is never out of range here. */
function entry(table: Int32Array | Uint8Array, index: number): number {
  return table[index] as number;
}

/** The CRC-32C of bytes that follow those with the CRC-32C `before`. */
export function crc32c(bytes: Uint8Array, before = 0): number {
  const tables = TABLES;
  const { length } = bytes;
  let crc = ~before;
  let at = 0;
  for (; at + 8 <= length; at += 8) {
    crc ^= wordAt(bytes, at);
    const next = wordAt(bytes, at + 4);
    crc =
      entry(tables, 1792 + (crc & 255)) ^
      entry(tables, 1536 + ((crc >>> 8) & 255)) ^
      entry(tables, 1280 + ((crc >>> 16) & 255)) ^
      entry(tables, 1024 + (crc >>> 24)) ^
      entry(tables, 768 + (next & 255)) ^
      entry(tables, 512 + ((next >>> 8) & 255)) ^
      entry(tables, 256 + ((next >>> 16) & 255)) ^
      entry(tables, next >>> 24);
  }
  for (; at < length; at += 1) crc = (crc >>> 8) ^ entry(tables, (crc ^ entry(bytes, at)) & 255);
  return ~crc >>> 0;
}

/** Four bytes, the lowest first. */
function wordAt(bytes: Uint8Array, at: number): number {
  return (
    entry(bytes, at) |
    (entry(bytes, at + 1) << 8) |
    (entry(bytes, at + 2) << 16) |
    (entry(bytes, at + 3) << 24)
  );
}
