import { expect, test } from "bun:test";
import { directionOf, swipeOf } from "./swipe.ts";

test.each([
  [3, 4, undefined],
  [-40, 10, "sideways"],
  [40, -10, "sideways"],
  [5, 40, "down"],
  [5, -40, "other"],
  [30, 30, "other"],
] as const)("a movement by %d, %d goes %s", (dx, dy, direction) => {
  expect(directionOf(dx, dy)).toBe(direction);
});

test.each([
  ["sideways", -80, 0, "next"],
  ["sideways", 80, 60, "previous"],
  ["sideways", -60, 0, undefined],
  ["down", 0, 120, "close"],
  ["down", 90, 100, undefined],
] as const)("%s by %d, %d: %s", (direction, dx, dy, swipe) => {
  expect(swipeOf(direction, dx, dy)).toBe(swipe);
});
