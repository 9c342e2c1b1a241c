import { describe, expect, test } from "bun:test";
import { Fault } from "./fault.ts";
import { keepDeletedMs, keepReplacedMs } from "./keep-time.ts";

const DAY = 86_400_000;
const settings = { trashDays: 30, trashDeletions: false, keepVersions: false };

describe("a deletion moves to the trash", () => {
  test.each([
    [true, false, 30 * DAY],
    [true, true, 30 * DAY],
    [undefined, true, 30 * DAY],
    [undefined, false, undefined],
    [false, true, undefined],
    [false, false, undefined],
  ])("request %p, setting %p: %p ms", (trash, trashDeletions, expected) => {
    expect(keepDeletedMs({ ...settings, trashDeletions }, trash)).toBe(expected);
  });

  test("never if the trash is disabled, and a request for it is refused", () => {
    const disabled = { ...settings, trashDays: 0, trashDeletions: true };
    expect(keepDeletedMs(disabled, undefined)).toBeUndefined();
    expect(keepDeletedMs(disabled, false)).toBeUndefined();
    expect(() => keepDeletedMs(disabled, true)).toThrow(Fault);
  });
});

test("replaced content is kept if the setting is on and the trash is not disabled", () => {
  expect(keepReplacedMs(settings)).toBeUndefined();
  expect(keepReplacedMs({ ...settings, keepVersions: true })).toBe(30 * DAY);
  expect(keepReplacedMs({ ...settings, keepVersions: true, trashDays: 0 })).toBeUndefined();
});
