import { describe, expect, test } from "bun:test";
import { expiryOf, expiryOptions, validateExpiry } from "./expiry.ts";

const now = new Date("2026-03-01T12:00:00Z");

describe("an expiry", () => {
  test("is never, after a period, or at a chosen time", () => {
    expect(expiryOf("never", "", now)).toBeUndefined();
    expect(expiryOf("3600", "", now)).toEqual(new Date("2026-03-01T13:00:00Z"));
    expect(expiryOf("custom", "2026-04-01T08:30", now)).toEqual(new Date(2026, 3, 1, 8, 30));
    expect(expiryOf("custom", "soon", now)).toBeUndefined();
  });

  test.each([
    ["never", "", undefined],
    ["custom", "", "Enter a date and time."],
    ["custom", "2026-02-28T12:00", "This is in the past. Choose a later time."],
    ["custom", "2127-01-01T12:00", "Choose a time within 100 years, or “Never”."],
    ["custom", "2026-12-01T12:00", undefined],
  ])("validating %s %p gives %p", (choice, custom, error) => {
    expect(validateExpiry(choice, custom, now)).toBe(error);
  });
});

test("the default and the maximum are among the choices, and nothing longer", () => {
  const labels = expiryOptions({ default: 3, max: 14 }).map(({ label }) => label);
  expect(labels).toEqual([
    "After 1 hour",
    "After 1 day",
    "After 3 days",
    "After 7 days",
    "After 14 days",
    "Custom date and time…",
  ]);
  expect(expiryOptions().map(({ value }) => value)).toContain("never");
});
