import { expect, test } from "bun:test";
import { rankTest } from "./rank-test.ts";

test("detects different samples, but not equal ones", () => {
  const values = Array.from({ length: 1_000 }, (_, at) => (at * 7_919) % 1_000);
  expect(rankTest(values, values)).toEqual({ share: 0.5, p: expect.closeTo(1, 5) });
  const greater = values.map((value) => value + 100);
  expect(rankTest(greater, values).p).toBeLessThan(0.0001);
  expect(rankTest(greater, values).share).toBeGreaterThan(0.5);
});

test("matches the tables of Mann and Whitney", () => {
  // U is 7 of 25 for these.
  const { share } = rankTest([1, 2, 4, 6, 9], [3, 5, 7, 8, 10]);
  expect(share).toBeCloseTo(7 / 25, 10);
});
