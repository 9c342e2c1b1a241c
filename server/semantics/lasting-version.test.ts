import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { MetadataText, Sha256 } from "../domain/records.ts";
import { lastingVersion, parseLastingVersion, type VersionedFile } from "./lasting-version.ts";

const file: VersionedFile = {
  sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" as Sha256,
  mimeType: "text/css",
  charset: null,
  metadata: null,
};
const versionOf = (changes: Partial<VersionedFile>, scaling = "1") =>
  lastingVersion({ ...file, ...changes }, scaling);

describe("the version of a lasting URL", () => {
  test("is 16 lower-case hexadecimal digits, the same for the same response", () => {
    expect(versionOf({})).toMatch(/^[0-9a-f]{16}$/);
    expect(versionOf({})).toBe(versionOf({}));
  });

  test("is another for another content, type, charset or metadata", () => {
    const all = [
      {},
      { sha256: "0".repeat(64) as Sha256 },
      { mimeType: "text/html" },
      { charset: "iso-8859-1" },
      { metadata: '{"cacheControl":"no-cache"}' as MetadataText },
    ].map((changes) => versionOf(changes));
    expect(new Set(all).size).toBe(all.length);
  });

  test("is the same before and after the content was looked at", () => {
    expect(versionOf({ charset: "+" })).toBe(versionOf({}));
    expect(versionOf({ charset: "" })).toBe(versionOf({}));
  });

  test("depends on the scaling for images only", () => {
    expect(versionOf({}, "2")).toBe(versionOf({}));
    const image = { mimeType: "image/png" };
    expect(versionOf(image, "2")).not.toBe(versionOf(image));
  });

  test("is not known without a digest", () => {
    expect(versionOf({ sha256: null })).toBeUndefined();
  });
});

test("only exactly 16 lower-case hexadecimal digits, once, mean something", () => {
  const digits = fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), maxLength: 20 });
  fc.assert(
    fc.property(fc.array(fc.oneof(digits, fc.string()), { maxLength: 3 }), (given) => {
      const [only = ""] = given;
      const isOne = given.length === 1 && only.length === 16 && !/[^0-9a-f]/.test(only);
      expect(parseLastingVersion(given)).toBe(isOne ? only : undefined);
    }),
  );
  expect(parseLastingVersion(["0123456789abcdef"])).toBe("0123456789abcdef");
});
