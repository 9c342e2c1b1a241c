import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { nameMatch } from "./name-match.ts";

const matches = (text: string, name: string): boolean => nameMatch(text)?.matches(name) ?? false;

describe("nameMatch", () => {
  test.each([
    ["arb", "harbour.jpg"],
    ["HARB", "harbour.jpg"],
    ["harbour", "HARBOUR.JPG"],
    [".JPG", "a.jpg"],
    [".", "a.b"],
    ["..", "a..b"],
    [" ", "a b"],
    ["été", "ÉTÉ 2026"],
    ["ÉTÉ", "été"],
    ["E\u0301t", "ét"],
    ["привет", "ПРИВЕТ.txt"],
    ["ΣΟΣ", "σοσ"],
    ["日本", "日本語.txt"],
    ["😀", "a😀b"],
    ["%", "100%"],
    ["_", "a_b"],
  ])("%j matches %j", (text, name) => {
    expect(matches(text, name)).toBe(true);
  });

  test.each([
    ["x", "harbour"],
    ["e", "été"],
    ["%", "a"],
    ["_", "a"],
    ["a%c", "abc"],
    ["ı", "I"],
    ["i", "İ"],
    ["日", "本"],
  ])("%j does not match %j", (text, name) => {
    expect(matches(text, name)).toBe(false);
  });

  test.each(["a/b", "/", "\\", "a\0", "\n", "\ud800", "x".repeat(600)])(
    "no name can contain %j",
    (text) => {
      expect(nameMatch(text)).toBeUndefined();
    },
  );

  test("isPlain if lower-casing A to Z is enough to find all matches", () => {
    for (const text of ["abc", "A.Z", "日本語", "😀 a", "100%"]) {
      expect(nameMatch(text)?.isPlain).toBe(true);
    }
    for (const text of ["é", "Ж", "aß", "ſ", "ﬀ"]) expect(nameMatch(text)?.isPlain).toBe(false);
    const lowerAscii = (name: string) => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    const aText = fc.string({ unit: "grapheme", minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(aText, aText, aText, (before, text, after) => {
        const match = nameMatch(text);
        if (match === undefined || !match.isPlain) return;
        for (const name of [before + text.toUpperCase() + after, before + after]) {
          const normal = name.normalize("NFC");
          expect(match.matches(normal)).toBe(lowerAscii(normal).includes(match.lower));
        }
      }),
      { numRuns: 1000 },
    );
  });
});
