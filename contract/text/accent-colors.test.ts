import { expect, test } from "bun:test";
import fc from "fast-check";
import { accentShades, contrastOf } from "./accent-colors.ts";

const hex = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, "0")}`);

const BACKS = {
  light: ["#ffffff", "#f4f4f3", "#ebebe9"],
  dark: ["#0f1113", "#1a1d20", "#23272b"],
} as const;

test("text in the shades of any color can be read on light and dark pages", () => {
  fc.assert(
    fc.property(hex, fc.constantFrom("light" as const, "dark" as const), (color, theme) => {
      const { accent, strong, ink, soft } = accentShades(color, theme);
      // 0.05 for the rounding to whole channels.
      for (const back of [...BACKS[theme], soft]) {
        expect(contrastOf(accent, back)).toBeGreaterThan(4.45);
        expect(contrastOf(strong, back)).toBeGreaterThan(4.45);
      }
      expect(contrastOf(ink, accent)).toBeGreaterThan(4.45);
      expect(contrastOf(ink, strong)).toBeGreaterThan(4.45);
    }),
    { numRuns: 2000 },
  );
});

test("a color that can be read stays as it is", () => {
  expect(accentShades("#0a665e", "light").accent).toBe("#0a665e");
  expect(accentShades("#56cdbd", "dark").accent).toBe("#56cdbd");
});

test("a yellow becomes darker on light pages only", () => {
  expect(accentShades("#ffcc00", "light").accent).not.toBe("#ffcc00");
  expect(accentShades("#ffcc00", "dark").accent).toBe("#ffcc00");
});

test.each([
  ["#ffffff", "#000000", 21],
  ["#777777", "#777777", 1],
])("the contrast of %s and %s is %d", (one, other, contrast) => {
  expect(contrastOf(one, other)).toBeCloseTo(contrast, 5);
});
