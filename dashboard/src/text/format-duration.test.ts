import { expect, test } from "bun:test";
import { formatDuration, formatTimeUntil } from "./format-duration.ts";

test.each([
  [0, "0 seconds"],
  [1, "1 second"],
  [90, "90 seconds"],
  [3_600, "1 hour"],
  [5_400, "90 minutes"],
  [604_800, "7 days"],
  [31_536_000, "365 days"],
])("formats %d seconds as %s", (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});

test.each([
  [-5, "in 0 seconds"],
  [59_999, "in 59 seconds"],
  [90_000, "in 1 minute"],
  [86_399_000, "in 23 hours"],
  [86_400_000 * 6.9, "in 6 days"],
])("formats %d ms from now as %s", (millis, text) => {
  expect(formatTimeUntil(millis)).toBe(text);
});
