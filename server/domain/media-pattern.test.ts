import { expect, test } from "bun:test";
import fc from "fast-check";
import { Fault } from "./faults/fault.ts";
import { matchesMediaPatterns, parseMediaPatterns } from "./media-pattern.ts";

const parse = (...patterns: string[]) => parseMediaPatterns("types", patterns);

test("a pattern matches its type, or all types of its kind", () => {
  expect(matchesMediaPatterns(parse("image/*"), "image/png")).toBe(true);
  expect(matchesMediaPatterns(parse("image/*"), "imagex/png")).toBe(false);
  expect(matchesMediaPatterns(parse("image/png", "application/pdf"), "application/pdf")).toBe(true);
  expect(matchesMediaPatterns(parse("image/png"), "image/jpeg")).toBe(false);
  expect(matchesMediaPatterns(parse("image/png"), "image/pngx")).toBe(false);
});

test("no patterns, or a pattern for all types, match everything", () => {
  expect(matchesMediaPatterns(parse(), "image/png")).toBe(true);
  expect(parse("image/png", "*/*")).toEqual([]);
});

test("case and repetition do not matter", () => {
  expect(parse("Image/PNG", " image/png ", "TEXT/*")).toEqual(["image/png", "text/*"]);
});

test.each(["", "image", "image/", "/png", "*/png", "image/*x", "*", "image/png; q=1", "a/b/c"])(
  "refuses the pattern %p",
  (pattern) => expect(() => parse(pattern)).toThrow(Fault),
);

test("refuses more than 32 patterns", () => {
  const types = Array.from({ length: 33 }, (_, index) => `image/x${index}`);
  expect(parse(...types.slice(1))).toHaveLength(32);
  expect(() => parse(...types)).toThrow("at most 32");
});

test("any text is either a pattern that matches a type, or a fault", () => {
  const isFault = (error: unknown): boolean => error instanceof Fault && error.kind === "invalid";
  fc.assert(
    fc.property(fc.string(), (text) => {
      try {
        const [pattern = "any/type"] = parse(text);
        expect(matchesMediaPatterns([pattern], pattern.replace("*", "x"))).toBe(true);
      } catch (error) {
        expect(isFault(error), String(error)).toBe(true);
      }
    }),
  );
});
