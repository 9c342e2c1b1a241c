import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { Fault } from "../rules/fault.ts";
import type { UploadChecksum } from "../rules/upload-checksum.ts";

/** Compares the bytes of a request with the checksum that was announced for them. */
export interface BodyChecksum {
  update(chunk: Uint8Array): void;
  /** Fault "checksum_mismatch": they differ. */
  check(): void;
}

export function createBodyChecksum({ algorithm, digest }: UploadChecksum): BodyChecksum {
  const sum = algorithm === "crc32" ? crc32Sum() : createHash(algorithm);
  return {
    update: (chunk) => void sum.update(chunk),
    check() {
      const actual = sum.digest("hex");
      if (actual === digest) return;
      throw new Fault(
        "checksum_mismatch",
        `The ${algorithm} of the body is ${actual}, but Upload-Checksum says ${digest}. The body was dropped.`,
      );
    },
  };
}

function crc32Sum() {
  let value = 0;
  return {
    update(chunk: Uint8Array) {
      value = crc32(chunk, value);
    },
    digest: (_: "hex") => value.toString(16).padStart(8, "0"),
  };
}
