import { expect, test } from "bun:test";
import { changeOf } from "./change-of.ts";

test.each([
  [112, 100, "12% more than"],
  [50, 100, "50% less than"],
  [0, 100, "100% less than"],
  [100, 100, "about the same as"],
  [1_001, 1_000, "about the same as"],
  [1_000, 100, "900% more than"],
  [1_001, 100, "over 10 times"],
])("%d after %d is %p", (total, before, text) => {
  expect(changeOf(total, before)).toBe(text);
});

test("after nothing, there is no change to speak of", () => {
  expect(changeOf(3, 0)).toBeUndefined();
});
