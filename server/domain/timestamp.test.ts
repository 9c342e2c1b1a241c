import { expect, test } from "bun:test";
import fc from "fast-check";
import { timestamp } from "./timestamp.ts";

test("a timestamp is in UTC, in whole seconds rounded down", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: Date.UTC(9999, 11, 31, 23, 59, 59, 999) }), (at) => {
      const text = timestamp(at);
      expect(text).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
      expect(Date.parse(`${text.replace(" ", "T")}Z`)).toBe(Math.floor(at / 1000) * 1000);
    }),
  );
});
