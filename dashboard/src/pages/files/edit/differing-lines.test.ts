import { expect, test } from "bun:test";
import { differingLines } from "./differing-lines.ts";

test.each([
  ["a\nb\nc", "a\nx\nc", "They differ in line 2 of yours and line 2 of the stored one."],
  [
    "a\nb\nc",
    "a\nc",
    "They differ in line 2 of yours and no line before line 2 of the stored one.",
  ],
  ["a", "x\ny", "They differ in line 1 of yours and lines 1 to 2 of the stored one."],
  ["a", "a", "They are the same."],
])("%j and %j", (mine, theirs, expected) => {
  expect(differingLines(mine, theirs)).toBe(expected);
});
