import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { ChecksumAlgorithm } from "./checksums.ts";
import { crc32c } from "./crc32c.ts";
import { createCrc64Nvme } from "./crc64nvme.ts";

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
