import { expect, test } from "bun:test";
import { createThrottledReport } from "./throttled-report.ts";

test("reports one message of each kind per interval, and how many were left out", async () => {
  const reported: string[] = [];
  const report = createThrottledReport((message) => reported.push(message), 200);
  for (let n = 1; n <= 4; n += 1) report("a", `a${n}`);
  report("b", "b1");
  expect(reported).toEqual(["a1", "b1"]);
  // Longer than the interval.
  await Bun.sleep(250);
  report("a", "a5");
  expect(reported).toEqual(["a1", "b1", "a5 (and 3 more like it before)"]);
});
