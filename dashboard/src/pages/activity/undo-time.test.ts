import { expect, test } from "bun:test";
import { localInputOf, timeOfInput } from "./undo-time.ts";

test("a time survives the input, to the minute", () => {
  const time = new Date(2026, 0, 5, 9, 7, 30);
  expect(localInputOf(time)).toBe("2026-01-05T09:07");
  expect(timeOfInput(localInputOf(time))).toEqual(new Date(2026, 0, 5, 9, 7));
  expect(timeOfInput("")).toBeUndefined();
});
