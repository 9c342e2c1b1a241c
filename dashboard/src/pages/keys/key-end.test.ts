import { describe, expect, test } from "bun:test";
import { endMistake, endOf, stateOf } from "./key-end.ts";

const now = new Date("2026-03-01T12:00:00Z");

describe("the end of a new key", () => {
  test("is never, after a while, or at a moment", () => {
    expect(endOf("never", "", now)).toBeUndefined();
    expect(endOf("3600", "", now)).toEqual(new Date("2026-03-01T13:00:00Z"));
    expect(endOf("own", "2026-04-01T08:30", now)).toEqual(new Date(2026, 3, 1, 8, 30));
    expect(endOf("own", "soon", now)).toBeUndefined();
  });

  test.each([
    ["never", "", undefined],
    ["own", "", "Enter a date and a time."],
    ["own", "2026-02-28T12:00", "This is in the past: choose a later moment."],
    ["own", "2127-01-01T12:00", "Choose a moment within 100 years, or “Never”."],
    ["own", "2026-12-01T12:00", undefined],
  ])("%s %s: %p", (choice, own, mistake) => {
    expect(endMistake(choice, own, now)).toBe(mistake);
  });
});

test.each([
  [null, "open"],
  ["2026-03-01 11:59:59", "expired"],
  ["2026-03-01 12:00:00", "expired"],
  ["2026-03-08 12:00:00", "soon"],
  ["2026-03-08 12:00:01", "open"],
] as const)("a key that ends at %p is %s", (expiresAt, state) => {
  const key = { id: "1", name: "a", prefix: "hd_1", createdAt: "", lastUsedAt: null, expiresAt };
  expect(stateOf(key, now)).toBe(state);
});
