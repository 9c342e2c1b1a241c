import { expect, test } from "bun:test";
import fc from "fast-check";
import { countJsonValues } from "./count-json-values.ts";

test.each([
  ["{}", 2],
  ["[]", 2],
  ['"a,[{"', 1],
  ['"\\",["', 1],
  ['"\\\\",[', 3],
  ['{"a":[1,2,3],"b":{}}', 7],
])("counts the values of %s as %d", (text, count) => {
  expect(countJsonValues(text)).toBe(count);
});

test("the count is between the number of values and twice that", () => {
  const valuesIn = (value: unknown): number =>
    typeof value === "object" && value !== null
      ? Object.values(value).reduce((sum: number, inner) => sum + valuesIn(inner), 1)
      : 1;
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      const values = valuesIn(JSON.parse(text));
      expect(countJsonValues(text)).toBeGreaterThanOrEqual(values);
      expect(countJsonValues(text)).toBeLessThanOrEqual(2 * values);
    }),
  );
});
