import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { Fault } from "../domain/faults/fault.ts";
import type { Sha256 } from "../domain/records.ts";
import type { UploadChecksum } from "../semantics/upload-checksum.ts";

/** What a request announces about the bytes of its body; null: nothing. */
export interface AnnouncedSums {
  /** `Upload-Checksum` of tus. */
  readonly checksum: UploadChecksum | null;
  /** `Content-Digest` of RFC 9530. */
  readonly contentDigest: Sha256 | null;
}

/** Compares the bytes of a request with the checksums that were announced for them. */
export interface BodyChecksum {
  update(chunk: Uint8Array): void;
  /** Faults "checksum_mismatch" (`Upload-Checksum`) and "invalid" (`Content-Digest`): they differ. */
  check(): void;
}

/** null: nothing is announced. */
export function createBodyChecksum({
  checksum,
  contentDigest,
}: AnnouncedSums): BodyChecksum | null {
  const sums: BodyChecksum[] = [];
  if (checksum !== null) {
    const { algorithm, digest } = checksum;
    sums.push(comparison("checksum_mismatch", algorithm, `Upload-Checksum says ${digest}`, digest));
  }
  if (contentDigest !== null) {
    const says = `the header Content-Digest says ${contentDigest}`;
    sums.push(comparison("invalid", "sha256", says, contentDigest));
  }
  if (sums.length === 0) return null;
  return {
    update(chunk) {
      for (const sum of sums) sum.update(chunk);
    },
    check() {
      for (const sum of sums) sum.check();
    },
  };
}

function comparison(
  kind: "checksum_mismatch" | "invalid",
  algorithm: UploadChecksum["algorithm"],
  says: string,
  digest: string,
): BodyChecksum {
  const sum = algorithm === "crc32" ? crc32Sum() : createHash(algorithm);
  return {
    update: (chunk) => void sum.update(chunk),
    check() {
      const actual = String(sum.digest("hex"));
      if (actual === digest) return;
      const text = `The ${algorithm} of the body is ${actual}, but ${says}. The body was dropped.`;
      throw new Fault(kind, text, {
        ...(kind === "invalid" && { code: "digest_mismatch" }),
        details: { expected: digest, actual },
      });
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
