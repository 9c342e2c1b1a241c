import { describe, expect, test } from "bun:test";
import { FULL_SCOPE } from "./callers/scope.ts";
import { Fault } from "./faults/fault.ts";
import { keepDeletedMs, keepReplaced } from "./keep-time.ts";
import type { KeyAction } from "./records.ts";

const DAY = 86_400_000;
const anyone = { scope: FULL_SCOPE };
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
    expect(keepDeletedMs(anyone, { ...settings, trashDeletions }, trash)).toBe(expected);
  });

  test("never if the trash is disabled, and a request for it is refused", () => {
    const disabled = { ...settings, trashDays: 0, trashDeletions: true };
    expect(keepDeletedMs(anyone, disabled, undefined)).toBeUndefined();
    expect(keepDeletedMs(anyone, disabled, false)).toBeUndefined();
    expect(() => keepDeletedMs(anyone, disabled, true)).toThrow(Fault);
  });
});

test("replaced content is kept if the setting is on and the trash is not disabled", () => {
  const kept = (changed: Partial<typeof settings>) =>
    keepReplaced(anyone, { ...settings, ...changed }).keepReplacedMs;
  expect(kept({})).toBeUndefined();
  expect(kept({ keepVersions: true })).toBe(30 * DAY);
  expect(kept({ keepVersions: true, trashDays: 0 })).toBeUndefined();
});

describe("without the action `delete`", () => {
  const reversible = callerWithActions("write", "discard");
  const writer = callerWithActions("write");

  test("a deletion always moves to the trash", () => {
    for (const trashDeletions of [true, false]) {
      for (const trash of [true, undefined]) {
        expect(keepDeletedMs(reversible, { ...settings, trashDeletions }, trash)).toBe(30 * DAY);
      }
    }
    expect(() => keepDeletedMs(reversible, settings, false)).toThrow("the action `delete`");
  });

  test("nothing is deleted without a trash", () => {
    for (const trash of [true, undefined, false]) {
      expect(() => keepDeletedMs(reversible, { ...settings, trashDays: 0 }, trash)).toThrow(
        "the action `delete`",
      );
    }
  });

  test("replaced content is kept whatever `keepVersions` says, with `discard` or nothing is replaced", () => {
    const kept = { keepReplacedMs: 30 * DAY, replaceLimit: "noEarlierEnd" } as const;
    for (const caller of [reversible, writer]) {
      for (const keepVersions of [true, false]) {
        expect(keepReplaced(caller, { ...settings, keepVersions })).toEqual(kept);
      }
    }
    const withoutTrash = { ...settings, keepVersions: true, trashDays: 0 };
    expect(keepReplaced(reversible, withoutTrash).replaceLimit).toBe("nothing");
    expect(keepReplaced(writer, withoutTrash).replaceLimit).toBe("noEarlierEnd");
  });
});

function callerWithActions(...actions: KeyAction[]) {
  return { scope: { actions: new Set(actions), folderIds: [] } };
}
