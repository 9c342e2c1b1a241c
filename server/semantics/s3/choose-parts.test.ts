import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { chooseParts, type ListedPart, multipartEtag } from "./choose-parts.ts";
import { MIN_PART_SIZE, type PartRecord } from "./multipart.ts";

const md5 = (text: string): string => createHash("md5").update(text).digest("hex");
const stored = new Map<number, PartRecord>(
  [1, 2, 5].map((number) => [
    number,
    {
      number,
      md5: md5(`${number}`),
      size: number === 5 ? 1 : MIN_PART_SIZE,
      checksum: 0,
      checksums: { CRC32: `of ${number}` },
      blobId: null,
      modifiedAt: 0,
    },
  ]),
);
const listed = (number: number, changes: Partial<ListedPart> = {}): ListedPart => ({
  number,
  etag: md5(`${number}`),
  checksums: {},
  ...changes,
});
const codeOf = (parts: readonly ListedPart[]) => {
  try {
    return chooseParts(parts, stored, "upload").map(({ number }) => number);
  } catch (error) {
    return (error as { s3Code: string }).s3Code;
  }
};

describe("the parts that a client lists", () => {
  test("may be a subset of the stored parts, with gaps between their numbers", () => {
    expect(codeOf([listed(1), listed(2), listed(5)])).toEqual([1, 2, 5]);
    expect(codeOf([listed(2), listed(5)])).toEqual([2, 5]);
    expect(codeOf([listed(5)])).toEqual([5]);
    expect(codeOf([listed(1, { checksums: { CRC32: "of 1" } })])).toEqual([1]);
    expect(codeOf([listed(1, { checksums: { SHA256: "unknown" } })])).toEqual([1]);
  });

  test.each([
    [[listed(2), listed(1)], "InvalidPartOrder"],
    [[listed(1), listed(1)], "InvalidPartOrder"],
    [[listed(3)], "InvalidPart"],
    [[listed(1, { etag: md5("2") })], "InvalidPart"],
    [[listed(1, { checksums: { CRC32: "of 2" } })], "InvalidPart"],
  ] as const)("%p are refused with %p", (parts, code) => {
    expect(codeOf(parts)).toBe(code);
  });

  test("must have 5 MiB each, except for the last", () => {
    const small = new Map(stored).set(1, { ...(stored.get(1) as PartRecord), size: 5 });
    expect(() => chooseParts([listed(1), listed(2)], small, "upload")).toThrow(
      "Part 1 has 5 bytes",
    );
  });

  test("make the ETag of the object", () => {
    const parts = [md5("a"), md5("b")];
    const digest = createHash("md5")
      .update(Buffer.from(parts.join(""), "hex"))
      .digest("hex");
    expect(multipartEtag(parts)).toBe(`${digest}-2`);
  });
});
