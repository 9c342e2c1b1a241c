import { expect, test } from "bun:test";
import { type KeyAction, keyActions } from "../../../../contract/key-actions.ts";
import { ACCESS_PRESETS, accessLabel, accessOptions, customActions } from "./key-access.ts";

test.each<[KeyAction[], string]>([
  [["admin"], "Full access"],
  [["list", "admin"], "Full access"],
  [["list", "read"], "Read only"],
  [["write"], "Upload only"],
  [["list", "read", "write", "delete", "share"], "Read and write"],
  [["list", "read", "write", "discard", "share"], "Read and write, recoverable"],
  [["list", "discard"], "List, move to trash"],
  [["list"], "List"],
  [["list", "read", "keys"], "List, read, create keys"],
])("a key with %j has the label %p", (actions, label) => {
  expect(accessLabel(actions)).toBe(label);
});

test("every preset has a label of its own, and every action can be chosen", () => {
  for (const { actions, label } of ACCESS_PRESETS) expect(accessLabel(actions)).toBe(label);
  expect([...customActions(() => true), "admin"]).toEqual([...keyActions]);
});

test("a member chooses only what its space allows", () => {
  const mayGive = (action: KeyAction) => ["list", "read", "write", "discard"].includes(action);
  expect(accessOptions(mayGive).map(({ value }) => value)).toEqual([
    "readOnly",
    "uploadOnly",
    "custom",
  ]);
  expect(customActions(mayGive)).toEqual(["list", "read", "write", "discard"]);
});
