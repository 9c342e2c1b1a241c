import { expect, test } from "bun:test";
import { NO_FILTERS, searchOptions } from "./search-filters.ts";

test("no filters are no options", () => {
  expect(searchOptions(NO_FILTERS)).toEqual({});
});

test("each filter is an option", () => {
  const now = Date.parse("2026-03-08T00:00:00Z");
  const filters = { type: "image/*", updated: "week", size: "medium", visibility: "private" };
  expect(searchOptions(filters, now)).toEqual({
    type: "image/*",
    visibility: "private",
    minSize: 1_000_000,
    maxSize: 100_000_000,
    updatedSince: new Date("2026-03-01T00:00:00Z"),
  });
});
