import { expect, test } from "bun:test";
import {
  formatExpiry,
  formatTimeOfDay,
  formatTimestamp,
  formatTimestampClause,
  parseTimestamp,
  untilNextText,
} from "./timestamp.ts";

const at = (text: string) => parseTimestamp(text);
/** Noon in the local time zone, so that no difference below crosses midnight. */
const NOON = new Date(2026, 10, 5, 12);
const ago = (milliseconds: number) => new Date(NOON.getTime() - milliseconds).toISOString();
const MINUTE = 60_000;

test("says when something happened, at the end of a sentence", () => {
  const text = "2026-11-05 12:24:00";
  expect(formatTimestampClause(text, at(text))).toMatch(/^today at \d/);
  expect(formatTimestampClause(text, at("2027-01-31 12:00:00"))).toMatch(/^on .*2026/);
});

test.each([
  [-3_000, "just now"],
  [59_999, "just now"],
  [MINUTE, "1 min ago"],
  [5.5 * MINUTE, "5 min ago"],
  [59.9 * MINUTE, "59 min ago"],
])("what happened %d ms ago is %p", (milliseconds, text) => {
  expect(formatTimestamp(ago(milliseconds), NOON)).toBe(text);
});

test("older timestamps have the time today, the day this year, and the year before that", () => {
  expect(formatTimestamp(ago(61 * MINUTE), NOON)).toBe(
    formatTimeOfDay(new Date(2026, 10, 5, 10, 59)),
  );
  const march = new Date(2026, 2, 3, 1, 25).toISOString();
  expect(formatTimestamp(march, NOON)).not.toContain("25");
  expect(formatTimestamp(march, NOON, "long")).toContain("1:25");
  expect(formatTimestamp(march, new Date(2027, 0, 1), "long")).toContain("2026");
});

test("a time in the future is not recent", () => {
  const tomorrow = new Date(2026, 10, 6, 12).toISOString();
  expect(formatTimestamp(tomorrow, NOON)).toContain("6");
  expect(untilNextText(tomorrow, NOON)).toBeUndefined();
  expect(formatTimestamp(ago(-MINUTE), NOON)).toMatch(/^12[:.]01/);
});

test("what has expired is not said to expire", () => {
  expect(formatExpiry(ago(5 * MINUTE), NOON)).toBe("expired 5 min ago");
  expect(formatExpiry(ago(-5 * MINUTE), NOON)).toMatch(/^expires 12[:.]05/);
  expect(formatExpiry(new Date(2026, 10, 6, 12).toISOString(), NOON)).toMatch(/^expires .*6/);
});

test("the text of a recent moment changes with the minute", () => {
  expect(untilNextText(ago(90_000), NOON)).toBe(30_000);
  expect(untilNextText(ago(-3_000), NOON)).toBe(MINUTE);
  expect(untilNextText(ago(60 * MINUTE), NOON)).toBeUndefined();
});
