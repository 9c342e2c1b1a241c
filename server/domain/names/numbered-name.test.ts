import { expect, test } from "bun:test";
import fc from "fast-check";
import { MAX_NAME_BYTES, parseName, tryParseName } from "./name.ts";
import { numberedFolderName, numberedName } from "./numbered-name.ts";

test.each([
  ["a.txt", 2, "a (2).txt"],
  ["a.tar.gz", 10, "a (10).tar.gz"],
  ["a.TAR.zst", 2, "a (2).TAR.zst"],
  [".tar.gz", 2, ".tar (2).gz"],
  ["tar.gz", 2, "tar (2).gz"],
  ["README", 3, "README (3)"],
  ["Dr. Skov", 2, "Dr. Skov (2)"],
  ["Report v1.2 final", 2, "Report v1.2 final (2)"],
  ["two words.txt", 2, "two words (2).txt"],
  [".env", 2, ".env (2)"],
  ["a (2).txt", 2, "a (2) (2).txt"],
])("%s numbered %d is %s", (name, number, expected) => {
  expect(numberedName(parseName(name), number)).toBe(parseName(expected));
});

test.each([
  ["photos.2026", 2, "photos.2026 (2)"],
  ["a.tar.gz", 3, "a.tar.gz (3)"],
  ["é".repeat(127), 10, `${"é".repeat(125)} (10)`],
])("the folder %s numbered %d is %s", (name, number, expected) => {
  expect(numberedFolderName(parseName(name), number)).toBe(parseName(expected));
});

test("numbered names are valid at any length and differ by their number", () => {
  const anyName = fc
    .tuple(
      fc.string({ unit: "binary", maxLength: 90 }),
      fc.constantFrom("", ".", ".txt", `.${"x".repeat(240)}`),
    )
    .map(([stem, end]) => tryParseName(stem.repeat(3) + end))
    .filter((name) => name !== undefined);
  fc.assert(
    fc.property(anyName, fc.integer({ min: 2, max: 99_999 }), (name, number) => {
      const numbered = numberedName(name, number);
      expect(Buffer.byteLength(numbered)).toBeLessThanOrEqual(MAX_NAME_BYTES);
      expect(`${numbered}`).toContain(`(${number})`);
      expect(numbered).not.toBe(numberedName(name, number + 1));
    }),
  );
});
