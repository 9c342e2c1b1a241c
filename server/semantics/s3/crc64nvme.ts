import { entry, mixWords, wordAt } from "./read-table.ts";

/** CRC-64/NVME, reflected, as two halves: numbers have no 64 bits, and BigInts are slow. */
const HIGH = 0x9a6c9329;
const LOW = 0xac4bc9b5;

/** Eight tables of 256 entries, one after the other: eight bytes are taken at once. */
const highs = new Int32Array(8 * 256);
const lows = new Int32Array(8 * 256);
fillTables();

function fillTables(): void {
  for (let byte = 0; byte < 256; byte += 1) {
    let high = 0;
    let low = byte;
    for (let bit = 0; bit < 8; bit += 1) {
      const isOdd = (low & 1) === 1;
      low = (low >>> 1) | (high << 31);
      high >>>= 1;
      if (!isOdd) continue;
      low ^= LOW;
      high ^= HIGH;
    }
    lows[byte] = low;
    highs[byte] = high;
  }
  for (let at = 256; at < lows.length; at += 1) {
    const low = entry(lows, at - 256);
    const high = entry(highs, at - 256);
    lows[at] = ((low >>> 8) | (high << 24)) ^ entry(lows, low & 255);
    highs[at] = (high >>> 8) ^ entry(highs, low & 255);
  }
}

export interface Crc64 {
  update(bytes: Uint8Array): void;
  /** Eight bytes, the highest first. */
  digest(): Uint8Array;
}

export function createCrc64Nvme(): Crc64 {
  let high = -1;
  let low = -1;
  return {
    update(bytes) {
      const { length } = bytes;
      let at = 0;
      for (; at + 8 <= length; at += 8) {
        const a = low ^ wordAt(bytes, at);
        const b = high ^ wordAt(bytes, at + 4);
        low = mixWords(lows, a, b);
        high = mixWords(highs, a, b);
      }
      for (; at < length; at += 1) {
        const index = (low ^ entry(bytes, at)) & 255;
        low = ((low >>> 8) | (high << 24)) ^ entry(lows, index);
        high = (high >>> 8) ^ entry(highs, index);
      }
    },
    digest() {
      const bytes = Buffer.alloc(8);
      bytes.writeInt32BE(~high, 0);
      bytes.writeInt32BE(~low, 4);
      return bytes;
    },
  };
}
