import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { ChecksumAlgorithm } from "./checksums.ts";
import { createCrc64Nvme } from "./crc64nvme.ts";
import { entry, mixWords, wordAt } from "./read-table.ts";

/** A checksum of content that arrives in pieces. */
export interface Checksum {
  update(bytes: Uint8Array): void;
  /** To be called once, at the end. A CRC has its highest byte first. */
  digest(): Uint8Array;
}

export function createChecksum(algorithm: ChecksumAlgorithm | "MD5"): Checksum {
  switch (algorithm) {
    case "CRC32":
      return crcOf32Bits(crc32);
    case "CRC32C":
      return crcOf32Bits(crc32c);
    case "CRC64NVME":
      return createCrc64Nvme();
    default: {
      const hash = createHash(algorithm.toLowerCase());
      return { update: (bytes) => void hash.update(bytes), digest: () => hash.digest() };
    }
  }
}

function crcOf32Bits(extend: (bytes: Uint8Array, before: number) => number): Checksum {
  let value = 0;
  return {
    update(bytes) {
      value = extend(bytes, value);
    },
    digest() {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value);
      return bytes;
    },
  };
}

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

/** The CRC-32C of bytes that follow those with the CRC-32C `before`. */
function crc32c(bytes: Uint8Array, before = 0): number {
  const tables = TABLES;
  const { length } = bytes;
  let crc = ~before;
  let at = 0;
  for (; at + 8 <= length; at += 8) {
    crc = mixWords(tables, crc ^ wordAt(bytes, at), wordAt(bytes, at + 4));
  }
  for (; at < length; at += 1) crc = (crc >>> 8) ^ entry(tables, (crc ^ entry(bytes, at)) & 255);
  return ~crc >>> 0;
}
