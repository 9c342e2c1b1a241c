import { expect, test } from "bun:test";
import fc from "fast-check";
import { createFreeNames } from "./free-names.ts";

const freeNamesFor = (names: readonly string[]): string[] => {
  const free = createFreeNames();
  return names.map(free);
};

test.each([
  [
    ["a.txt", "a.txt", "a.txt"],
    ["a.txt", "a (2).txt", "a (3).txt"],
  ],
  [
    ["a.tar.gz", "a.tar.gz"],
    ["a.tar.gz", "a.tar (2).gz"],
  ],
  [
    ["README", "README"],
    ["README", "README (2)"],
  ],
  [
    [".env", ".env"],
    [".env", ".env (2)"],
  ],
  [
    ["a (2).txt", "a.txt", "a.txt"],
    ["a (2).txt", "a.txt", "a (3).txt"],
  ],
  [
    ["a.txt", "A.txt"],
    ["a.txt", "A.txt"],
  ],
])("%j become %j", (names, expected) => {
  expect(freeNamesFor(names)).toEqual(expected);
});

test("names are unique", () => {
  const anyName = fc.stringMatching(/^(a|b)( \([23]\))?(\.x)?$/);
  fc.assert(
    fc.property(fc.array(anyName, { maxLength: 30 }), (names) => {
      expect(new Set(freeNamesFor(names)).size).toBe(names.length);
    }),
  );
});
