import { expect, test } from "bun:test";
import type { HealthScrub } from "../../../../sdk/src/holdall.ts";
import { describeCheck } from "./describe-check.ts";

const finished = (files: number): HealthScrub => ({
  state: "finished",
  every: null,
  rate: 1,
  startedAt: "2026-01-01 10:00:00",
  finishedAt: "2026-01-01 10:00:01",
  files,
  bytes: 0,
  found: 0,
  earlier: 0,
  findings: [],
});

test("counts the files that were added since the last check", () => {
  expect(describeCheck(finished(0), 0)).toMatch(/^Checked .*, when there were no files\.$/);
  expect(describeCheck(finished(0), 8_522)).toMatch(/when there were no files\. 8,522 files added/);
  expect(describeCheck(finished(5), 6)).toMatch(/No damage found\. 1 file added since\.$/);
  expect(describeCheck(finished(5), 4)).toMatch(/No damage found\.$/);
});
