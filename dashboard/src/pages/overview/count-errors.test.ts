import { expect, test } from "bun:test";
import { countErrors } from "./count-errors.ts";

const hour = (errors: number, ...statuses: [number, number][]) => ({
  at: "2026-01-31 09:00:00",
  requests: 10,
  bytes: 0,
  errors,
  errorsByStatus: statuses.map(([status, requests]) => ({ status, requests })),
});

test("adds up errors by status, most requests first", () => {
  expect(countErrors([hour(5, [404, 1], [503, 4]), hour(0), hour(7, [404, 5], [416, 2])])).toEqual({
    byStatus: [
      { status: 404, text: "Not found", requests: 6 },
      { status: 503, text: "Unavailable", requests: 4 },
      { status: 416, text: "Range beyond the end", requests: 2 },
    ],
    unknown: 0,
  });
});

test("counts errors from before statuses were counted, and describes unusual statuses", () => {
  expect(countErrors([hour(9), hour(3, [418, 1], [599, 1])])).toEqual({
    byStatus: [
      { status: 418, text: "Refused", requests: 1 },
      { status: 599, text: "Server error", requests: 1 },
    ],
    unknown: 10,
  });
});
