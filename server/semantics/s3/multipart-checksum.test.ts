import { describe, expect, test } from "bun:test";
import { createChecksum } from "./create-checksum.ts";
import { combineChecksums, readChecksumChoice } from "./multipart-checksum.ts";

const sum = (algorithm: "CRC32" | "CRC64NVME" | "SHA256", text: string): string => {
  const checksum = createChecksum(algorithm);
  checksum.update(Buffer.from(text));
  return Buffer.from(checksum.digest()).toString("base64");
};

describe("the checksum of a multipart upload", () => {
  test.each([
    [{}, {}],
    [{ "x-amz-checksum-algorithm": "CRC32" }, ["CRC32", "COMPOSITE"]],
    [{ "x-amz-checksum-algorithm": "crc64nvme" }, ["CRC64NVME", "FULL_OBJECT"]],
    [
      { "x-amz-checksum-algorithm": "CRC32C", "x-amz-checksum-type": "FULL_OBJECT" },
      ["CRC32C", "FULL_OBJECT"],
    ],
  ] as const)("%p chooses %p", (headers, expected) => {
    const { checksumAlgorithm, checksumType } = readChecksumChoice(new Headers({ ...headers }));
    const [algorithm, type] = "length" in expected ? expected : [];
    expect([checksumAlgorithm, checksumType]).toEqual([algorithm, type]);
  });

  test.each([
    { "x-amz-checksum-algorithm": "MD5" },
    { "x-amz-checksum-type": "COMPOSITE" },
    { "x-amz-checksum-algorithm": "SHA256", "x-amz-checksum-type": "FULL_OBJECT" },
    { "x-amz-checksum-algorithm": "CRC64NVME", "x-amz-checksum-type": "COMPOSITE" },
    { "x-amz-checksum-algorithm": "CRC32", "x-amz-checksum-type": "PARTIAL" },
  ])("%p is refused", (headers) => {
    expect(() => readChecksumChoice(new Headers({ ...headers }))).toThrow(
      expect.objectContaining({ s3Code: "InvalidRequest" }),
    );
  });

  test("is that of the whole object, or that of its parts' checksums", () => {
    const parts = (algorithm: "CRC32" | "CRC64NVME" | "SHA256") =>
      ["one ", "two"].map((text) => ({
        size: text.length,
        checksums: { [algorithm]: sum(algorithm, text) },
      }));
    for (const algorithm of ["CRC32", "CRC64NVME"] as const) {
      const whole = combineChecksums(algorithm, "FULL_OBJECT", parts(algorithm));
      expect(whole).toEqual({ [algorithm]: sum(algorithm, "one two") });
    }
    const composite = combineChecksums("SHA256", "COMPOSITE", parts("SHA256"));
    expect(composite.SHA256).toEndWith("-2");
    expect(combineChecksums("SHA256", "COMPOSITE", parts("CRC32"))).toEqual({});
    expect(combineChecksums(undefined, undefined, parts("CRC32"))).toEqual({});
  });
});
