import { expect, test } from "bun:test";
import fc from "fast-check";
import { formatJson } from "./format-json.ts";

test("indents every JSON value as JSON.stringify does", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const expected = JSON.stringify(value, null, 2);
      expect(formatJson(JSON.stringify(value))).toBe(expected);
      expect(formatJson(expected)).toBe(expected);
    }),
  );
});

test("keeps values as they are written", () => {
  expect(formatJson('{"a":1.0,"a":12345678901234567890,"b":"\\u00e9,\\"{"}')).toBe(
    '{\n  "a": 1.0,\n  "a": 12345678901234567890,\n  "b": "\\u00e9,\\"{"\n}',
  );
});

test.each(["", "{", "{a:1}", "[1,]", "1 2"])("does not format %p, which is not JSON", (text) => {
  expect(formatJson(text)).toBeUndefined();
});

test("a deeply nested text does not become much longer", () => {
  const deep = "[".repeat(5_000) + "]".repeat(5_000);
  expect((formatJson(deep) ?? "").length).toBeLessThan(deep.length * 250);
});
