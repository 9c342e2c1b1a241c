import { expect, test } from "bun:test";
import { svgSize } from "./svg-size.ts";

test("the size of an SVG is its own, or that of its view box", () => {
  const sizes: [string, ReturnType<typeof svgSize>][] = [
    ['<svg width="40" height="30">', { width: 40, height: 30 }],
    [
      '<?xml version="1.0"?><svg viewBox="0 0 120 120"><rect width="9"/>',
      { width: 120, height: 120 },
    ],
    ["<svg width='60px' viewBox='0,0,120,240'>", { width: 60, height: 120 }],
    ['<svg height="60" viewBox="0 0 120 240">', { width: 30, height: 60 }],
    ['<svg width="100%" height="100%" viewBox="0 0 24 16.5">', { width: 24, height: 16.5 }],
    ['<svg stroke-width="3" data-height="4">', undefined],
    ["no picture", undefined],
  ];
  for (const [text, size] of sizes) expect(svgSize(text)).toEqual(size);
});
