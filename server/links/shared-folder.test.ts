import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseName } from "../domain/names/name.ts";
import { titleName } from "./shared-folder.ts";

test.each([
  ["Summer at the harbour", "Summer at the harbour"],
  [" 2026/07: gulls\\tides\n", "2026 07: gulls tides"],
  ["../../etc", ".. .. etc"],
  ["x".repeat(300), "x".repeat(251)],
  ["🌊".repeat(100), "🌊".repeat(62)],
])("%j is the folder %j", (title, name) => {
  expect(titleName(title)).toBe(parseName(name));
});

test.each(["..", ".", "/", " \u0007 "])("%j is no folder", (title) => {
  expect(titleName(title)).toBeUndefined();
});

test("any title is a valid name, or none", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (title) => {
      const name = titleName(title);
      if (name !== undefined) expect(parseName(name)).toBe(name);
    }),
  );
});
