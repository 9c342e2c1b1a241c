import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  actualScale,
  clampPan,
  FIT,
  type Frame,
  fitScale,
  percentOf,
  placeImage,
  scaleOf,
  zoomBy,
  zoomTo,
} from "./zoom.ts";

const frame = (width: number, height: number, pixelRatio = 1): Frame => ({
  image: { width, height },
  viewport: { width: 1_032, height: 532 },
  pixelRatio,
});

test("fits images to the window without enlarging small ones", () => {
  expect(fitScale(frame(2_000, 500))).toBe(0.5);
  expect(fitScale(frame(500, 1_000))).toBe(0.5);
  expect(fitScale(frame(16, 16))).toBe(1);
});

test("gives the true percentage, also on dense screens", () => {
  expect(percentOf(FIT, frame(2_000, 500))).toBe(50);
  expect(percentOf(FIT, frame(2_000, 500, 2))).toBe(100);
  expect(percentOf(FIT, frame(16, 16, 2))).toBe(200);
  const actual = zoomTo(FIT, actualScale(frame(4_000, 500, 2)), frame(4_000, 500, 2));
  expect(placeImage(actual, frame(4_000, 500, 2))).toMatchObject({ width: 2_000, height: 250 });
  expect(percentOf(actual, frame(4_000, 500, 2))).toBe(100);
});

test("starts an image at a pixel of the screen", () => {
  const { left, top } = placeImage(FIT, frame(101, 33, 2));
  expect([left * 2, top * 2].map(Number.isInteger)).toEqual([true, true]);
  expect(placeImage(FIT, frame(101, 33)).left).toBe(466);
});

test("keeps the point under the pointer fixed", () => {
  // So large that no edge limits the panning.
  const large = frame(100_000, 100_000);
  const number = fc.integer({ min: -500, max: 500 });
  fc.assert(
    fc.property(number, number, fc.double({ min: 1.1, max: 3, noNaN: true }), (x, y, factor) => {
      const before = zoomTo(FIT, 0.5, large, { x: 10, y: 20 });
      const after = zoomBy(before, factor, large, { x, y });
      const [from, to] = [scaleOf(before, large), scaleOf(after, large)];
      expect((x - after.x) / to).toBeCloseTo((x - before.x) / from, 6);
      expect((y - after.y) / to).toBeCloseTo((y - before.y) / from, 6);
    }),
  );
});

test("limits the zoom at both ends", () => {
  const large = frame(2_000, 500);
  expect(zoomBy(zoomBy(FIT, 1.2, large), 0.5, large)).toEqual(FIT);
  expect(percentOf(zoomBy(FIT, 1_000, large), large)).toBe(1_600);
  // A small image on a dense screen is shown enlarged, and can be made smaller.
  const small = frame(16, 16, 2);
  expect(percentOf(zoomBy(FIT, 0.01, small), small)).toBe(100);
});

test("keeps an image from being panned out of the window", () => {
  const moved = clampPan({ scale: 1, x: 9_000, y: -9_000 }, frame(2_000, 500));
  expect(moved).toEqual({ scale: 1, x: 484, y: -0 });
});
