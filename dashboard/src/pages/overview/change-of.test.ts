import { expect, test } from "bun:test";
import { changeOf } from "./change-of.ts";

test.each([
  [112, 100, "up", "12% more than"],
  [50, 100, "down", "50% less than"],
  [0, 100, "down", "100% less than"],
  [4, 1_000, "down", "over 99% less than"],
  [6, 1_000, "down", "99% less than"],
  [100, 100, "same", "about the same as"],
  [1_001, 1_000, "same", "about the same as"],
  [999, 1_000, "same", "about the same as"],
  [1_000, 100, "up", "900% more than"],
  [1_001, 100, "up", "over 10 times"],
] as const)("%d after %d is %s: %p", (total, before, trend, text) => {
  expect(changeOf(total, before)).toEqual({ trend, text });
});

test("is undefined if the total before was zero", () => {
  expect(changeOf(3, 0)).toBeUndefined();
});
