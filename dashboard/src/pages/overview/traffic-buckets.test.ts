import { expect, test } from "bun:test";
import {
  axisLabelsOf,
  formatBucket,
  type Traffic,
  withoutCurrent,
  withoutTimeBefore,
} from "./traffic-buckets.ts";

const traffic = (count: number, stepMs: number): Traffic =>
  Array.from({ length: count }, (_, index) => ({
    at: new Date(new Date(2026, 2, 2, 3).getTime() + index * stepMs).toISOString(),
    requests: 0,
    bytes: 0,
    errors: 0,
    errorsByStatus: [],
  }));

test("labels every sixth hour of a day, every midnight of a week and every seventh day of a month", () => {
  const hour = 3_600_000;
  expect(axisLabelsOf(traffic(24, hour), "day").map(({ index }) => index)).toEqual([3, 9, 15, 21]);
  expect(axisLabelsOf(traffic(168, hour), "week").map(({ index }) => index)).toEqual([
    21, 45, 69, 93, 117, 141, 165,
  ]);
  expect(axisLabelsOf(traffic(30, 24 * hour), "month").map(({ index }) => index)).toEqual([
    1, 8, 15, 22, 29,
  ]);
});

test("the days of a month are UTC days", () => {
  expect(formatBucket("2026-03-01 00:00:00", "month")).toContain("1");
  expect(formatBucket("2026-03-01 00:00:00", "month")).toBe(
    formatBucket("2026-03-01 23:00:00", "month"),
  );
});

test("labels the first of a few bars", () => {
  expect(axisLabelsOf(traffic(2, 3_600_000), "day").map(({ index }) => index)).toEqual([0]);
  expect(axisLabelsOf(traffic(2, 3_600_000), "week").map(({ index }) => index)).toEqual([0]);
});

test("the chart of a new server begins with its traffic", () => {
  const nothing = { requests: 0, bytes: 0, errors: 0, errorsByStatus: [] };
  const from = (index: number) =>
    traffic(24, 3_600_000).map((each, at) => ({ ...each, requests: at >= index ? 1 : 0 }));
  expect(withoutTimeBefore(from(10), nothing)).toHaveLength(14);
  expect(withoutTimeBefore(from(23), nothing)).toHaveLength(1);
  expect(withoutTimeBefore(from(24), nothing)).toHaveLength(24);
  expect(withoutTimeBefore(from(10), { ...nothing, requests: 1 })).toHaveLength(24);
});

test("leaves out the hour that is not over, unless it is the only one", () => {
  const hours = traffic(24, 3_600_000);
  expect(withoutCurrent(hours)).toEqual(hours.slice(0, 23));
  expect(withoutCurrent(hours.slice(23))).toEqual(hours.slice(23));
  expect(withoutCurrent([])).toEqual([]);
});
