import { expect, test } from "bun:test";
import fc from "fast-check";
import { clampPan, FIT, fitSize, MAX_SCALE, zoomBy } from "./zoom.ts";

test("fits images to the window without enlarging small ones", () => {
  expect(fitSize({ width: 400, height: 100 }, { width: 200, height: 200 })).toEqual({
    width: 200,
    height: 50,
  });
  const small = { width: 16, height: 16 };
  expect(fitSize(small, { width: 200, height: 200 })).toEqual(small);
});

test("keeps the point under the pointer fixed", () => {
  const number = fc.integer({ min: -500, max: 500 });
  fc.assert(
    fc.property(number, number, fc.double({ min: 1.1, max: 3, noNaN: true }), (x, y, factor) => {
      const before = zoomBy(FIT, 2, { x: 10, y: 20 });
      const after = zoomBy(before, factor, { x, y });
      expect((x - after.x) / after.scale).toBeCloseTo((x - before.x) / before.scale, 6);
      expect((y - after.y) / after.scale).toBeCloseTo((y - before.y) / before.scale, 6);
    }),
  );
});

test("limits the zoom at both ends", () => {
  expect(zoomBy({ scale: 1.2, x: 9, y: 9 }, 0.5)).toEqual(FIT);
  expect(zoomBy(FIT, 1_000).scale).toBe(MAX_SCALE);
});

test("keeps an image from being panned out of the window", () => {
  const viewport = { width: 100, height: 100 };
  const moved = clampPan({ scale: 2, x: 900, y: -900 }, { width: 100, height: 40 }, viewport);
  expect(moved).toEqual({ scale: 2, x: 50, y: -0 });
});
