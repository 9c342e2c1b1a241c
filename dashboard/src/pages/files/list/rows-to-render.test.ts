import { expect, test } from "bun:test";
import fc from "fast-check";
import { rowsToRender } from "./rows-to-render.ts";

const directions = fc.constantFrom("forward" as const, "backward" as const, null);

test("renders everything in view, in order and within bounds", () => {
  fc.assert(
    fc.property(
      fc.nat(500),
      fc.nat(40),
      fc.integer({ min: 1, max: 20 }),
      directions,
      (startIndex, length, overscan, direction) => {
        const count = startIndex + length + 1;
        const endIndex = startIndex + length;
        const rows = rowsToRender({ startIndex, endIndex, overscan, count }, direction, -1);
        const first = rows[0] ?? -1;
        expect(first).toBeGreaterThanOrEqual(0);
        expect(first).toBeLessThanOrEqual(startIndex);
        expect(rows).toEqual(rows.map((_, at) => first + at));
        expect(rows.at(-1)).toBe(endIndex);
      },
    ),
  );
});

test("renders more rows in the scroll direction", () => {
  const view = { startIndex: 100, endIndex: 119, overscan: 12, count: 1_000 };
  const ends = (direction: "forward" | "backward" | null) => {
    const rows = rowsToRender(view, direction, -1);
    return [rows[0], rows.at(-1)];
  };
  expect(ends(null)).toEqual([88, 131]);
  expect(ends("forward")).toEqual([96, 155]);
  expect(ends("backward")).toEqual([64, 123]);
});

test("renders nothing for an empty list", () => {
  expect(rowsToRender({ startIndex: 0, endIndex: 0, overscan: 3, count: 0 }, null, -1)).toEqual([]);
});

test("renders the pinned row once, in order, wherever it is", () => {
  const view = { startIndex: 100, endIndex: 119, overscan: 12, count: 1_000 };
  const around = rowsToRender(view, null, -1);
  expect(rowsToRender(view, null, 3)).toEqual([3, ...around]);
  expect(rowsToRender(view, null, 110)).toEqual(around);
  expect(rowsToRender(view, null, 999)).toEqual([...around, 999]);
  expect(rowsToRender(view, null, 1_000)).toEqual(around);
});
