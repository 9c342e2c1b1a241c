import { expect, test } from "bun:test";
import { formatExposure, formatPlace, formatPlayTime, formatTakenAt } from "./format-facts.ts";

test("play times have hours only if they are that long", () => {
  expect([6.6, 61, 3599.7, 3723].map(formatPlayTime)).toEqual([
    "0:07",
    "1:01",
    "1:00:00",
    "1:02:03",
  ]);
});

test("exposures are fractions below half a second", () => {
  expect([1 / 250, 0.3, 0.5, 2.5, 0].map(formatExposure)).toEqual([
    ...["1/250 s", "1/3 s", "0.5 s", "2.5 s", "0 s"],
  ]);
});

test("places and times are readable", () => {
  expect(formatPlace({ latitude: -33.86, longitude: 151.2 })).toBe("33.86000° S, 151.20000° E");
  expect(formatPlace({ latitude: 1 })).toBeUndefined();
  expect(formatTakenAt("2026:07:01 18:30:00")).toBe("2026-07-01 18:30:00");
});
