import { expect, test } from "bun:test";
import { COMMAND } from "../tree-change.ts";
import { type Caller, callerWith, EVERYTHING, limitsOf } from "./caller.ts";
import { FULL_SCOPE } from "./scope.ts";

test("a caller is limited to the folders of its scope", () => {
  expect(callerWith(COMMAND, FULL_SCOPE).within).toBe(EVERYTHING);
  const limited = callerWith(COMMAND, { ...FULL_SCOPE, folderIds: ["a", "b"] });
  expect(limited.within).toEqual(["a", "b"]);
  expect(limitsOf(limited.within)).toEqual(["a", "b"]);
  expect(limitsOf(EVERYTHING)).toEqual([]);
});

test("a limit can neither be forgotten nor be empty", () => {
  // @ts-expect-error: whoever has no limit says so.
  const forgotten: Caller = { actor: COMMAND, scope: FULL_SCOPE };
  // @ts-expect-error: no folders would not be told from no limit.
  const empty: Caller["within"] = [];
  expect(forgotten.within).toBeUndefined();
  expect(empty).toHaveLength(0);
});
