import { expect, test } from "bun:test";
import fc from "fast-check";
import { ticksFor } from "./ticks.ts";

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [7, [0, 2, 4, 6, 8]],
  [340, [0, 100, 200, 300, 400]],
  [1_000, [0, 500, 1_000]],
])("ticks up to %d are %p", (most, ticks) => {
  expect(ticksFor(most)).toEqual(ticks);
});

test("ticks cover the maximum with at most five whole numbers, and none is superfluous", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e15 }), (most) => {
      const ticks = ticksFor(most);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(most);
      expect(ticks.length).toBeLessThanOrEqual(5);
      expect(ticks.at(-2) ?? -1).toBeLessThan(Math.max(1, most));
      for (const tick of ticks) expect(Number.isInteger(tick)).toBe(true);
    }),
  );
});
