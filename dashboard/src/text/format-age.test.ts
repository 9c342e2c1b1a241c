import { expect, test } from "bun:test";
import { formatAge } from "./format-age.ts";

test("counts midnights, not hours", () => {
  const now = new Date(2026, 2, 10, 0, 30);
  const at = (...parts: [number, number, number, number, number]) =>
    formatAge(new Date(...parts).toISOString(), now);
  expect(at(2026, 2, 10, 0, 5)).toBe("today");
  expect(at(2026, 2, 9, 23, 59)).toBe("yesterday");
  expect(at(2026, 2, 7, 23, 0)).toBe("3 days ago");
  // A clock that is ahead.
  expect(at(2026, 2, 11, 9, 0)).toBe("today");
});
