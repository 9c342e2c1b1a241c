import { expect, test } from "bun:test";
import fc from "fast-check";
import { splitName, stemLength } from "./split-name.ts";

test("head and tail together are the whole name", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 255 }), (name) => {
      const { head, tail } = splitName(name);
      expect(head + tail).toBe(name);
    }),
  );
});

test("splits long names near the end, between graphemes", () => {
  const name = `${"a".repeat(40)} report-👩‍👩‍👧.pdf`;
  const { tail } = splitName(name);
  expect(tail).toBe("rt-👩‍👩‍👧.pdf");
  expect(splitName("short.txt").tail).toBe("");
});

test("the tail does not start with a space, which would look like a gap", () => {
  expect(splitName("a photo for use in the next  edition").tail).toBe("edition");
});

test("does not split right-to-left names", () => {
  expect(splitName(`${"שלום ".repeat(20)}.txt`).tail).toBe("");
  expect(splitName(`${"مرحبا ".repeat(20)}.txt`).tail).toBe("");
});

test("the stem ends at the last dot, unless the name starts with it", () => {
  expect(stemLength("photo.tar.gz")).toBe(9);
  expect(stemLength(".env")).toBe(4);
  expect(stemLength("README")).toBe(6);
  expect(stemLength("a.")).toBe(1);
});
