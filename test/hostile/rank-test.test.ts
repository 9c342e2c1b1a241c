import { expect, test } from "bun:test";
import { rankTest } from "./rank-test.ts";

test("p is 1 for equal samples and small for different ones", () => {
  const values = Array.from({ length: 1_000 }, (_, at) => (at * 7_919) % 1_000);
  expect(rankTest(values, values)).toEqual({ share: 0.5, p: expect.closeTo(1, 5) });
  const greater = values.map((value) => value + 100);
  expect(rankTest(greater, values).p).toBeLessThan(0.0001);
  expect(rankTest(greater, values).share).toBeGreaterThan(0.5);
});

test("share equals U / (n × m)", () => {
  // U is 7, n × m is 25.
  const { share } = rankTest([1, 2, 4, 6, 9], [3, 5, 7, 8, 10]);
  expect(share).toBeCloseTo(7 / 25, 10);
});
