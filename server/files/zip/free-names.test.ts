import { expect, test } from "bun:test";
import fc from "fast-check";
import { createFreeNames } from "./free-names.ts";

const freeNamesFor = (names: readonly string[]): string[] => {
  const free = createFreeNames();
  return names.map((name) => free(name, "file"));
};

test.each([
  [
    ["a.txt", "a.txt", "a.txt"],
    ["a.txt", "a (2).txt", "a (3).txt"],
  ],
  [
    ["a.tar.gz", "a.tar.gz"],
    ["a.tar.gz", "a (2).tar.gz"],
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
    ["a.txt", "A.txt", "A (2).TXT", "A.TXT"],
    ["a.txt", "A (2).txt", "A (2) (2).TXT", "A (3).TXT"],
  ],
  [
    ["\u00c9t\u00e9", "e\u0301te\u0301", "\u1e9e", "ss", "\u212a", "k"],
    ["\u00c9t\u00e9", "e\u0301te\u0301 (2)", "\u1e9e", "ss (2)", "\u212a", "k (2)"],
  ],
  [
    ["a", "a.", "a . ."],
    ["a", "a (2).", "a .  (3)."],
  ],
])("%j become %j", (names, expected) => {
  expect(freeNamesFor(names)).toEqual(expected);
});

test("a folder's name gets its number at the end", () => {
  const free = createFreeNames();
  expect([free("photos.2026", "folder"), free("Photos.2026", "folder")]).toEqual([
    "photos.2026",
    "Photos.2026 (2)",
  ]);
});

test("names are unique, also without case", () => {
  const anyName = fc.stringMatching(/^(a|B|b)( \([23]\))?(\.x|\.X)?$/);
  fc.assert(
    fc.property(fc.array(anyName, { maxLength: 30 }), (names) => {
      const free = freeNamesFor(names).map((name) => name.toLowerCase());
      expect(new Set(free).size).toBe(names.length);
    }),
  );
});
