import { expect, test } from "bun:test";
import fc from "fast-check";
import { amountOf, amountValue } from "./amount.ts";

test("a value survives formatting and parsing", () => {
  const unit = fc.constantFrom(
    "bytes",
    "seconds",
    "days",
    "files",
    "ids",
    "pixels",
    "percent" as const,
  );
  fc.assert(
    fc.property(fc.maxSafeNat(), unit, (value, given) => {
      expect(amountValue(amountOf(value, given))).toBe(value);
    }),
  );
});

test.each([
  [5 * 1024 ** 3, "bytes", "5", 1024 ** 3],
  [1000, "bytes", "1", 1000],
  [604_800, "seconds", "7", 86_400],
  [90, "seconds", "90", 1],
  [0, "seconds", "0", 1],
  [90, "days", "90", 1],
] as const)("%d %s is shown as %s times %d", (value, unit, text, factor) => {
  expect(amountOf(value, unit)).toEqual({ text, factor });
});

test.each([
  ["1.5", 1536],
  [" 2,25 ", 2304],
  ["", undefined],
  ["-1", undefined],
  ["1e3", undefined],
  ["ten", undefined],
  ["99999999999999999", undefined],
])("parses %s KiB as %p bytes", (text, value) => {
  expect(amountValue({ text, factor: 1024 })).toBe(value);
});
