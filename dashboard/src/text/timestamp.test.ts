import { expect, test } from "bun:test";
import { formatTimestampClause, parseTimestamp } from "./timestamp.ts";

test("says when something happened, at the end of a sentence", () => {
  const text = "2026-11-05 12:24:00";
  expect(formatTimestampClause(text, parseTimestamp(text))).toMatch(/^today at \d/);
  expect(formatTimestampClause(text, new Date("2027-01-31T12:00:00Z"))).toMatch(/^on .*2026/);
});
