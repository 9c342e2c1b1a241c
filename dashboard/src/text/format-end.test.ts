import { expect, test } from "bun:test";
import { formatEnd } from "./format-end.ts";

const now = Date.UTC(2026, 0, 1);

test.each([
  ["2026-01-01 00:58:00", "Ends in 59 minutes"],
  ["2026-01-08 00:00:00", "Ends in 7 days"],
  ["2026-01-01 05:00:00", "Ends in 5 hours"],
  ["2026-01-04 01:00:00", "Ends in 3 days"],
  ["2025-01-01 00:00:00", "Ends in 0 seconds"],
])("%s is shown as %s", (at, text) => {
  expect(formatEnd(at, now)).toBe(text);
});
