import { crc32 } from "node:zlib";
import type { Sha256 } from "../../domain/records.ts";
import { createDigest } from "../../runtime/hash.ts";

/** The checksums of a content that is read in pieces. */
export interface ContentHash {
  update(chunk: Uint8Array): void;
  /** The sums of all chunks. Ends the hash. */
  end(): ContentSums;
}

export interface ContentSums {
  /** In bytes. */
  readonly size: number;
  /** CRC-32, unsigned. */
  readonly checksum: number;
  readonly sha256: Sha256;
}

export function createContentHash(): ContentHash {
  const hasher = createDigest("sha256");
  let size = 0;
  let checksum = 0;
  return {
    update(chunk) {
      size += chunk.byteLength;
      checksum = crc32(chunk, checksum);
      hasher.update(chunk);
    },
    end: () => ({ size, checksum, sha256: hasher.digest("hex") as Sha256 }),
  };
}
