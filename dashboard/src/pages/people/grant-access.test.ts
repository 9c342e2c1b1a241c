import { expect, test } from "bun:test";
import { GRANT_PRESETS, grantText, presetOf } from "./grant-access.ts";

test.each([
  [["list", "read"], "read only"],
  [["read", "list"], "read only"],
  [["share", "list", "read", "write", "discard"], "read and write"],
  [["write"], "upload only"],
  [["write", "list"], "list, write"],
  [["list", "read", "share"], "list, read, share"],
] as const)("%p is “%s”", (actions, expected) => {
  expect(grantText(actions)).toBe(expected);
});

test("each preset is found by its actions, and nothing else is one", () => {
  for (const preset of GRANT_PRESETS) expect(presetOf([...preset.actions].reverse())).toBe(preset);
  expect(presetOf(["list"])).toBeUndefined();
});
