import { expect, test } from "bun:test";
import fc from "fast-check";
import { type EntryLayout, entriesTouched } from "./entry-layout.ts";

const list: EntryLayout = {
  count: 1_000,
  columns: 1,
  left: 0,
  top: 36,
  width: 500,
  height: 30,
  gap: 0,
};
const grid: EntryLayout = {
  count: 8,
  columns: 3,
  left: 20,
  top: 10,
  width: 100,
  height: 80,
  gap: 10,
};

test("a rectangle touches the rows of a list from either side", () => {
  expect(entriesTouched(list, { x: 5, y: 36 + 95 }, { x: 9, y: 36 + 31 })).toEqual([1, 2, 3]);
  expect(entriesTouched(list, { x: 9, y: 36 + 31 }, { x: 5, y: 36 + 95 })).toEqual([1, 2, 3]);
});

test("a rectangle below or beside all entries touches none", () => {
  expect(entriesTouched(grid, { x: 50, y: 300 }, { x: 90, y: 400 })).toEqual([]);
  expect(entriesTouched(grid, { x: 2, y: 0 }, { x: 19, y: 400 })).toEqual([]);
  expect(entriesTouched({ ...grid, count: 0 }, { x: 0, y: 0 }, { x: 900, y: 900 })).toEqual([]);
});

test("a rectangle within the gap between tiles touches none", () => {
  expect(entriesTouched(grid, { x: 121, y: 0 }, { x: 129, y: 400 })).toEqual([]);
});

test("a rectangle touches tiles of several rows, and none past the last", () => {
  expect(entriesTouched(grid, { x: 140, y: 95 }, { x: 900, y: 900 })).toEqual([4, 5, 7]);
});

test("exactly the entries whose boxes overlap the rectangle are touched", () => {
  const coordinate = fc.integer({ min: -50, max: 500 });
  fc.assert(
    fc.property(coordinate, coordinate, coordinate, coordinate, (x1, y1, x2, y2) => {
      const overlaps = (index: number) => {
        const left = grid.left + (index % grid.columns) * (grid.width + grid.gap);
        const top = grid.top + Math.floor(index / grid.columns) * (grid.height + grid.gap);
        return (
          Math.max(x1, x2) >= left &&
          Math.min(x1, x2) < left + grid.width &&
          Math.max(y1, y2) >= top &&
          Math.min(y1, y2) < top + grid.height
        );
      };
      const expected = Array.from({ length: grid.count }, (_, index) => index).filter(overlaps);
      expect(entriesTouched(grid, { x: x1, y: y1 }, { x: x2, y: y2 })).toEqual(expected);
    }),
  );
});
