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
    ["a", "a.", "a . .", "a ", "a_"],
    ["a", "a_", "a . _", "a_ (2)", "a_ (3)"],
  ],
  [
    ['what?*:"<>|.txt', "a|b", "a_b", "A?B"],
    ["what_______.txt", "a_b", "a_b (2)", "A_B (3)"],
  ],
  [
    ["con", "NUL.txt", "aux .tar.gz", "Com1", "lpt².x", "CONIN$", "con_", "COM"],
    ["con_", "NUL_.txt", "aux_ .tar.gz", "Com1_", "lpt²_.x", "CONIN$_", "con_ (2)", "COM"],
  ],
  [
    ["console", "nul2", "COM10", "a.con", "icon.aux"],
    ["console", "nul2", "COM10", "a.con", "icon.aux"],
  ],
])("%j become %j", (names, expected) => {
  expect(freeNamesFor(names)).toEqual(expected);
});

test("every name can be had on Windows", () => {
  const anyName = fc.string({
    unit: fc.constantFrom(...'conpraulm1²$.: *?"<>|_xA'),
    minLength: 1,
    maxLength: 8,
  });
  fc.assert(
    fc.property(fc.array(anyName, { maxLength: 20 }), (names) => {
      for (const name of freeNamesFor(names)) {
        expect(name).not.toMatch(/[*?:"<>|]|[. ]$/);
        expect(name).not.toMatch(/^(con|prn|aux|nul|(com|lpt)[1-9¹²³]|conin\$|conout\$) *(\.|$)/i);
      }
    }),
  );
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

test("a number makes no name longer than a disk can hold", () => {
  const anyName = fc.constantFrom(
    ...["a".repeat(255), "A".repeat(255), `${"ü".repeat(120)}.tar.gz`, `x.${"e".repeat(253)}`],
    ...["\u{1f600}".repeat(63), `${"b".repeat(251)}.txt`, `${"B".repeat(251)}.txt`],
  );
  fc.assert(
    fc.property(fc.array(anyName, { maxLength: 30 }), (names) => {
      const free = freeNamesFor(names);
      expect(new Set(free.map((name) => name.toLowerCase())).size).toBe(names.length);
      for (const name of free) {
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
        expect(name.isWellFormed()).toBe(true);
      }
    }),
  );
});
