import { expect, test } from "bun:test";
import fc from "fast-check";
import { afterPrefix, compareUtf8, lowerBound } from "./utf8-order.ts";

const anyText = fc.string({ unit: "grapheme", maxLength: 6 });
const edges = fc
  .array(fc.constantFrom("a", "b", "\ud7ff", "\ue000", "\uffff", "😀", "\u{10ffff}"), {
    maxLength: 4,
  })
  .map((characters) => characters.join(""));
const text = fc.oneof(anyText, edges);

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

test("texts compare as their bytes do", () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareUtf8(a, b))).toBe(byBytes(a, b));
    }),
  );
});

test("the text after a prefix is after everything that begins with it, and before the rest", () => {
  fc.assert(
    fc.property(text, text, (prefix, other) => {
      const after = afterPrefix(prefix);
      if (after === undefined) {
        expect(other.startsWith(prefix) || byBytes(other, prefix) < 0).toBe(true);
        return;
      }
      const isBefore = other.startsWith(prefix) || byBytes(other, prefix) < 0;
      expect(byBytes(other, after) < 0).toBe(isBefore);
    }),
    { numRuns: 2000 },
  );
});

test("a bound has only characters that a key can be compared with, and separates the same keys", () => {
  const withControls = fc.string({
    unit: fc.constantFrom("a", "/", "\u0000", "\u001f"),
    maxLength: 5,
  });
  const key = fc.string({ unit: fc.constantFrom("a", "/", " "), minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(withControls, key, (wanted, each) => {
      const bound = lowerBound(wanted);
      expect(bound.includes("\u0000") || bound.includes("\u001f")).toBe(false);
      expect(byBytes(each, bound) >= 0).toBe(byBytes(each, wanted) >= 0);
    }),
  );
});
