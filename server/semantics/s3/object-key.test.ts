import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { S3Fault } from "../../domain/faults/s3-fault.ts";
import { parseName } from "../../domain/names/name.ts";
import { findObjectPlace, objectKeyOf, parseObjectKey } from "./object-key.ts";

const bucket = parseName("bucket");

describe("the key of an object", () => {
  test("is the path in the bucket, and that of a folder ends with a slash", () => {
    expect(parseObjectKey(bucket, "a/b c.txt")).toMatchObject({
      key: "bucket/a/b c.txt",
      isFolder: false,
    });
    expect(parseObjectKey(bucket, "a/b/")).toMatchObject({ key: "bucket/a/b", isFolder: true });
  });

  test.each(["", "/", "/a", "a//b", "a//", "a/../b", ".", "a/ /b", "a\\b", "a\u0000"])(
    "%p is refused with InvalidArgument",
    (key) => {
      expect(() => parseObjectKey(bucket, key)).toThrow(
        expect.objectContaining({ s3Code: "InvalidArgument" }),
      );
      expect(findObjectPlace(bucket, key)).toBeUndefined();
    },
  );

  test.each(["a".repeat(256), `${"a".repeat(255)}/`.repeat(5), "ü".repeat(128)])(
    "a key that is too long is refused with KeyTooLongError",
    (key) => {
      expect(() => parseObjectKey(bucket, key)).toThrow(
        expect.objectContaining({ s3Code: "KeyTooLongError" }),
      );
    },
  );

  test("is the same after it was stored, in NFC", () => {
    const segment = fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), (segments) => {
        const text = segments.join("/");
        try {
          const { key, isFolder } = parseObjectKey(bucket, text);
          expect(`${objectKeyOf(key)}${isFolder ? "/" : ""}`).toBe(text.normalize("NFC"));
        } catch (error) {
          expect(error).toBeInstanceOf(S3Fault);
        }
      }),
    );
  });
});
