import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import fc from "fast-check";
import {
  CHECKSUM_ALGORITHMS,
  type ChecksumAlgorithm,
  checkChecksum,
  checksumHeader,
  parseAlgorithm,
  readChecksumHeaders,
} from "./checksums.ts";
import { combineFullChecksum, compositeChecksum, isCrc } from "./combine-checksums.ts";
import { createChecksum } from "./create-checksum.ts";

function checksumOf(algorithm: ChecksumAlgorithm, ...pieces: Uint8Array[]): string {
  const checksum = createChecksum(algorithm);
  for (const piece of pieces) checksum.update(piece);
  return Buffer.from(checksum.digest()).toString("base64");
}

describe("a checksum", () => {
  // The check values of the catalogue of parametrised CRC algorithms.
  test.each([
    ["CRC32", "cbf43926"],
    ["CRC32C", "e3069283"],
    ["CRC64NVME", "ae8b14860a799888"],
    ["SHA1", createHash("sha1").update("123456789").digest("hex")],
    ["SHA256", createHash("sha256").update("123456789").digest("hex")],
  ] as const)("%s has its published check value", (algorithm, hex) => {
    const bytes = Buffer.from(checksumOf(algorithm, Buffer.from("123456789")), "base64");
    expect(bytes.toString("hex")).toBe(hex);
  });

  test("of nothing", () => {
    expect(checksumOf("CRC32")).toBe("AAAAAA==");
    expect(checksumOf("CRC32C")).toBe("AAAAAA==");
    expect(checksumOf("CRC64NVME")).toBe("AAAAAAAAAAA=");
  });

  test("has AWS's value for its example of a trailer", () => {
    expect(checksumOf("CRC32C", Buffer.alloc(66_560, "a"))).toBe("sOO8/Q==");
  });

  test("is the same bit by bit and for content in any pieces", () => {
    const reference = (bytes: Uint8Array, width: bigint, polynomial: bigint): string => {
      const ones = (1n << width) - 1n;
      let crc = ones;
      for (const byte of bytes) {
        crc ^= BigInt(byte);
        for (let bit = 0; bit < 8; bit += 1) crc = crc & 1n ? (crc >> 1n) ^ polynomial : crc >> 1n;
      }
      const hex = (crc ^ ones).toString(16).padStart(Number(width) / 4, "0");
      return Buffer.from(hex, "hex").toString("base64");
    };
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), (pieces) => {
        const all = Buffer.concat(pieces);
        expect(checksumOf("CRC32C", ...pieces)).toBe(reference(all, 32n, 0x82f63b78n));
        expect(checksumOf("CRC64NVME", ...pieces)).toBe(reference(all, 64n, 0x9a6c9329ac4bc9b5n));
        for (const algorithm of CHECKSUM_ALGORITHMS) {
          expect(checksumOf(algorithm, ...pieces)).toBe(checksumOf(algorithm, all));
        }
      }),
    );
  });

  test("of a whole follows from those of its parts", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CHECKSUM_ALGORITHMS.filter(isCrc)),
        fc.array(fc.uint8Array({ maxLength: 300 })),
        (algorithm, parts) => {
          const sums = parts.map((part) => ({
            checksum: checksumOf(algorithm, part),
            size: part.length,
          }));
          expect(combineFullChecksum(algorithm, sums)).toBe(checksumOf(algorithm, ...parts));
        },
      ),
    );
  });

  test("of parts, composite", () => {
    const parts = ["a", "b"].map((part) => checksumOf("SHA256", Buffer.from(part)));
    const digests = parts.map((part) => Buffer.from(part, "base64"));
    const digest = createHash("sha256").update(Buffer.concat(digests)).digest("base64");
    expect(compositeChecksum("SHA256", parts)).toBe(`${digest}-2`);
  });
});

describe("headers with checksums", () => {
  test("are read", () => {
    const headers = new Headers({
      "X-Amz-Checksum-Crc32": "AAAAAA==",
      "x-amz-checksum-mode": "ENABLED",
      "x-amz-checksum-algorithm": "CRC32",
      "x-amz-checksum-type": "FULL_OBJECT",
    });
    expect(readChecksumHeaders(headers)).toEqual({ CRC32: "AAAAAA==" });
    expect(readChecksumHeaders(new Headers())).toEqual({});
  });

  test.each([
    [{ "x-amz-checksum-crc32": "AAAA" }],
    [{ "x-amz-checksum-crc32": "AAAAAA" }],
    [{ "x-amz-checksum-crc32": "AAAAAB==" }],
    [{ "x-amz-checksum-crc32": "" }],
    [{ "x-amz-checksum-crc64nvme": "AAAAAA==" }],
    [{ "x-amz-checksum-sha512": "AAAA" }],
    [{ "x-amz-checksum-crc32": "AAAAAA==", "x-amz-checksum-crc32c": "AAAAAA==" }],
  ])("%j are refused", (headers) => {
    expect(() => readChecksumHeaders(new Headers(headers))).toThrow();
  });

  test("name the algorithm in any case", () => {
    for (const algorithm of CHECKSUM_ALGORITHMS) {
      expect(parseAlgorithm(algorithm.toLowerCase())).toBe(algorithm);
      const checksum = checksumOf(algorithm, Buffer.from("x"));
      expect(checkChecksum(algorithm, checksum)).toBe(checksum);
      const headers = new Headers({ [checksumHeader(algorithm)]: checksum });
      expect(readChecksumHeaders(headers)).toEqual({ [algorithm]: checksum });
    }
    expect(() => parseAlgorithm("md5")).toThrow("unsupported");
    expect(() => parseAlgorithm("toString")).toThrow("unsupported");
  });
});
