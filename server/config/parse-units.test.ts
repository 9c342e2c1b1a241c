import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseSize, sizeText } from "./parse-units.ts";

const GB = 1024 ** 3;

describe("parseSize", () => {
  const units = { "": 1, b: 1, kb: 1024, mb: 1024 ** 2, gb: GB, tb: 1024 ** 4 };
  const anyUnit = fc.constantFrom(...Object.entries(units));

  test("accepts every unit, in any case, with or without space", () => {
    const anyNumber = fc.nat({ max: 8191 });
    fc.assert(
      fc.property(anyNumber, anyUnit, fc.boolean(), fc.nat(3), (number, [unit, bytes], up, pad) => {
        const shown = `${"0".repeat(pad)}${number}${" ".repeat(pad)}${up ? unit.toUpperCase() : unit}`;
        expect(parseSize(shown.trimEnd())).toBe(number * bytes);
      }),
    );
  });

  test("is exact, or refused when it is not a safe integer", () => {
    const anyDigits = fc.stringMatching(/^\d{1,17}$/);
    fc.assert(
      fc.property(anyDigits, anyUnit, (digits, [unit, bytes]) => {
        const exact = BigInt(digits) * BigInt(bytes);
        const size = parseSize(digits + unit);
        if (size === undefined) {
          expect(digits.length > 15 || exact > BigInt(Number.MAX_SAFE_INTEGER)).toBe(true);
        } else expect(BigInt(size)).toBe(exact);
      }),
    );
  });

  test("refuses every other text", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^[\d .+e-]{0,4}[kKmg]?i?[bB]?$/)),
        (text) => {
          expect(parseSize(text) === undefined).toBe(!/^[0-9]{1,15}\s*([kmgt]?b)?$/i.test(text));
        },
      ),
    );
  });

  test.each([
    "",
    "b",
    "mb5",
    "5 m b",
    "5mib",
    "5k",
    "-5mb",
    "1e3",
    "0x10",
    "Infinity",
    "５",
    "8192tb",
  ])("refuses %j", (text) => {
    expect(parseSize(text)).toBeUndefined();
  });
});

test("sizeText writes the shortest text that parseSize reads", () => {
  expect([0, 1, 1000, 1024, 256 * 1024 ** 2, 5 * GB].map(sizeText)).toEqual([
    ...["0", "1", "1000", "1kb", "256mb", "5gb"],
  ]);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999_999_999 }), (bytes) =>
      expect(parseSize(sizeText(bytes))).toBe(bytes),
    ),
  );
});
