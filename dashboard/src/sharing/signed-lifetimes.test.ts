import { describe, expect, test } from "bun:test";
import { toLocalInputValue } from "../text/time-zone.ts";
import { chosenLifetime, lifetimeOptions } from "./signed-lifetimes.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;
const labels = (seconds: number, max: number) =>
  lifetimeOptions({ default: seconds, max }).map(({ label }) => label);

describe("the lifetimes of a signed URL", () => {
  test("end at the maximum, and include it and the default", () => {
    expect(labels(2 * HOUR, 5 * DAY)).toEqual([
      ...["15 minutes", "1 hour", "2 hours", "1 day", "3 days", "5 days"],
      "Custom date and time…",
    ]);
    expect(labels(60, 60)).toEqual(["1 minute", "Custom date and time…"]);
  });

  test("name no maximum of decades", () => {
    expect(labels(HOUR, 36_500 * DAY).slice(-3)).toEqual([
      ...["90 days", "365 days"],
      "Custom date and time…",
    ]);
  });

  test("can be any time within the maximum", () => {
    const now = new Date("2026-03-01T12:00:00Z");
    const at = (seconds: number) => ({
      choice: "custom",
      custom: toLocalInputValue(new Date(now.getTime() + seconds * 1_000)),
    });
    expect(chosenLifetime(at(2 * HOUR), DAY, now)).toEqual({ seconds: 2 * HOUR });
    expect(chosenLifetime(at(2 * DAY), DAY, now)).toEqual({
      error: "Choose a time within 1 day, the maximum on this server.",
    });
    expect(chosenLifetime({ choice: "custom", custom: "9999-12-31T12:00" }, DAY, now)).toEqual({
      error: "Choose a time within 1 day, the maximum on this server.",
    });
    expect(chosenLifetime({ choice: "custom", custom: "" }, DAY, now)).toEqual({
      error: "Enter a date and time.",
    });
    expect(chosenLifetime(at(-HOUR), DAY, now)).toEqual({
      error: "This is in the past. Choose a later time.",
    });
    expect(chosenLifetime({ choice: "900", custom: "" }, DAY, now)).toEqual({ seconds: 900 });
  });
});
