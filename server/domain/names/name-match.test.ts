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
    ["eclair", "Éclair.txt"],
    ["éclair", "E\u0301clair.txt"],
    ["été", "ete.txt"],
    ["i", "İ"],
    ["и", "Й"],
    ["が", "が"],
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
    ["%", "a"],
    ["_", "a"],
    ["a%c", "abc"],
    ["ı", "I"],
    ["日", "本"],
    ["か", "が"],
  ])("%j does not match %j", (text, name) => {
    expect(matches(text, name)).toBe(false);
  });

  test.each(["a/b", "/", "\\", "a\0", "\n", "\ud800", "x".repeat(600)])(
    "no name can contain %j",
    (text) => {
      expect(nameMatch(text)).toBeUndefined();
    },
  );

  test.each([
    ["*.pdf", "Annual report.PDF", true],
    ["*.pdf", "a.pdf.zip", false],
    ["report*", "Report 2026.txt", true],
    ["report*", "my report", false],
    ["é*1*.t*t", "E 2 1.text", true],
    ["a*a", "a", false],
    ["a*a", "aa", true],
    ["*", "anything", true],
    ["a*b", "a*b", true],
    ["?", "a", false],
  ])("%j as a pattern for %j: %j", (text, name, expected) => {
    expect(matches(text, name)).toBe(expected);
  });

  test("patterns match as regular expressions do", () => {
    const aPattern = fc.string({
      unit: fc.constantFrom("a", "b", "*"),
      minLength: 1,
      maxLength: 6,
    });
    const aName = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 8 });
    fc.assert(
      fc.property(aPattern, aName, (pattern, name) => {
        const whole = pattern.includes("*");
        const inner = pattern.replaceAll("*", ".*");
        expect(matches(pattern, name)).toBe(new RegExp(whole ? `^${inner}$` : inner).test(name));
      }),
      { numRuns: 1000 },
    );
  });

  test("the pattern finds all matching names of ASCII characters, and only these", () => {
    const like = (pattern: string, name: string) => {
      const expression = pattern.replace(/\\(.)|%|([^%\\])/gs, (part, escaped, plain) =>
        part === "%" ? "[^]*" : (escaped ?? plain).replace(/[.*+?^${}()|[\]\\]/g, "\\$&"),
      );
      return new RegExp(`^${expression}$`).test(name.toLowerCase());
    };
    const aText = fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(aText, aText, (text, other) => {
        const match = nameMatch(text);
        if (match === undefined) return;
        expect(match.mayBeAscii).toBe(true);
        for (const name of [text, `${other}${text.toUpperCase()}`, other]) {
          expect(like(match.likePattern, name)).toBe(match.matches(name));
        }
      }),
      { numRuns: 1000 },
    );
    for (const text of ["日本", "Ж", "ß"]) expect(nameMatch(text)?.mayBeAscii).toBe(false);
    expect(nameMatch("é")?.mayBeAscii).toBe(true);
  });
});
