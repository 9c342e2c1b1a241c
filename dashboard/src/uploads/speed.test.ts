import { expect, test } from "bun:test";
import { paceDelay, recentStarts } from "./sending/pace.ts";
import { createSpeed, secondsLeft } from "./speed.ts";

test("is unknown at first, then averages the last seconds", () => {
  const speed = createSpeed();
  speed.record(0, 0);
  expect(speed.now(500)).toBeUndefined();
  speed.record(2_000, 1_000);
  expect(speed.now(1_000)).toBe(2_000);
  for (let second = 2; second <= 20; second += 1) speed.record(2_000, second * 1_000);
  expect(speed.now(20_000)).toBe(0);
});

test("drops while nothing is sent", () => {
  const speed = createSpeed();
  speed.record(0, 0);
  speed.record(1_000, 1_000);
  expect(speed.now(4_000)).toBe(250);
});

test("starts over after a reset", () => {
  const speed = createSpeed();
  speed.record(1_000_000, 0);
  speed.reset();
  speed.record(1_000_000, 10_000);
  speed.record(1_000_500, 11_000);
  expect(speed.now(11_000)).toBe(500);
});

test("the time left is unknown while nothing is sent", () => {
  expect(secondsLeft(100, 20)).toBe(5);
  expect(secondsLeft(100, 0)).toBeUndefined();
  expect(secondsLeft(100, undefined)).toBeUndefined();
});

test("delays requests over the limit per minute", () => {
  const starts = [0, 1_000, 2_000];
  expect(paceDelay(starts, 3_000, 4)).toBe(0);
  expect(paceDelay(starts, 3_000, 3)).toBe(57_000);
  expect(paceDelay(starts, 60_001, 3)).toBe(0);
  expect(recentStarts(starts, 61_500)).toEqual([2_000]);
});
