import { expect, test } from "bun:test";
import { readWriteCondition } from "./write-condition.ts";

test("reads the conditions of a write", () => {
  const read = (fields: Record<string, string>) => readWriteCondition(new Headers(fields));
  expect(read({})).toBeUndefined();
  expect(read({ "if-none-match": "*" })).toBe("absent");
  expect(read({ "if-match": "*" })).toBe("present");
  expect(read({ "if-match": '"abc"' })).toEqual({ etag: "abc" });
  expect(read({ "if-match": "abc" })).toEqual({ etag: "abc" });
  expect(() => read({ "if-none-match": '"abc"' })).toThrow("If-None-Match: *");
  expect(() => read({ "if-match": "*", "if-none-match": "*" })).toThrow("exclude each other");
});
