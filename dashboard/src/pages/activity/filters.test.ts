import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { actionTexts } from "../../../../contract/activity.ts";
import {
  activityAddress,
  type Filters,
  isFiltered,
  parseFilters,
  tablePath,
  timeRangeOf,
} from "./filters.ts";

const queryOf = (filters: Filters): string => activityAddress(filters).slice("/activity".length);

describe("filters in the URL", () => {
  test("survive a round trip", () => {
    const others = fc.record(
      {
        action: fc.constantFrom(...Object.keys(actionTexts)),
        actor: fc.string({ minLength: 1 }),
        q: fc.string({ minLength: 1 }),
        outcome: fc.constantFrom("done", "failed"),
        time: fc.constantFrom("hour", "day", "week", "month"),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(others, (given) => {
        const filters = parseFilters(`?${new URLSearchParams(given)}`);
        expect(`${filters.action}`).toBe(`${given.action}`);
        expect(filters.actor).toBe(given.actor);
        expect(filters.text).toBe(given.q);
        expect(`${filters.outcome} ${filters.span}`).toBe(`${given.outcome} ${given.time}`);
        expect(parseFilters(queryOf(filters))).toEqual(filters);
      }),
    );
  });

  test("ignore unknown values", () => {
    const filters = parseFilters(
      "?action=constructor&outcome=maybe&time=toString&from=2026-13-01&actor=",
    );
    expect(isFiltered(filters)).toBe(false);
    expect(activityAddress(filters)).toBe("/activity");
  });
});

test("a table has the filters as parameters of the API", () => {
  const filters = parseFilters("?action=signIn&q=a%26b&time=hour");
  expect(tablePath(filters, "csv", new Date("2026-03-10T12:00:00Z"))).toBe(
    "/api/activity?action=signIn&q=a%26b&since=2026-03-10T11%3A00%3A00.000Z&format=csv",
  );
});

describe("time ranges", () => {
  const now = new Date("2026-03-10T12:00:00Z");

  test("of a span end now", () => {
    expect(timeRangeOf({ span: "day" }, now)).toEqual({ since: "2026-03-09T12:00:00.000Z" });
  });

  test("of days start at local midnight and include the last day", () => {
    expect(timeRangeOf({ from: "2026-02-28", to: "2026-02-28" }, now)).toEqual({
      since: new Date(2026, 1, 28).toISOString(),
      until: new Date(2026, 2, 1).toISOString(),
    });
  });
});
