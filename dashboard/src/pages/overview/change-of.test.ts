import { expect, test } from "bun:test";
import { changeOf } from "./change-of.ts";

test.each([
  [112, 100, "+12%"],
  [50, 100, "-50%"],
  [0, 100, "-100%"],
  [100, 100, "0%"],
  [5_000, 100, "over +999%"],
])("%d after %d is %p", (total, before, text) => {
  expect(changeOf(total, before)).toBe(text);
});

test("after nothing, there is no change to speak of", () => {
  expect(changeOf(3, 0)).toBeUndefined();
});
