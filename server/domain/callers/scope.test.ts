import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Fault } from "../faults/fault.ts";
import { parseKey } from "../names/name.ts";
import { KEY_ACTIONS, type Key, type KeyAction } from "../records.ts";
import { COMMAND } from "../tree-change.ts";
import { authorize, findDestination, mayDo } from "./authorize.ts";
import { type Caller, callerWith } from "./caller.ts";
import { allows, FULL_SCOPE, isInFolder, NO_SCOPE, type Scope, topOf } from "./scope.ts";

const key = (path: string): Key => parseKey(path);
const scope = (actions: readonly KeyAction[], ...folderIds: string[]): Scope => ({
  actions: new Set(actions),
  folderIds,
});

describe("a scope", () => {
  test("allows its actions; admin implies all of them, delete implies discard", () => {
    for (const action of KEY_ACTIONS) {
      expect(allows(FULL_SCOPE, action)).toBe(true);
      expect(allows(NO_SCOPE, action)).toBe(false);
      const only = scope([action]);
      for (const other of KEY_ACTIONS) {
        const implied = action === "delete" && other === "discard";
        expect(allows(only, other)).toBe(action === other || action === "admin" || implied);
      }
    }
  });

  test("requires an action with a fault that names it", () => {
    expect(() => authorize({ scope: scope(["read"]) }, "read")).not.toThrow();
    expect(() => authorize({ scope: scope(["read"]) }, "write")).toThrow(
      new Fault("forbidden", "This API key may not do that: it needs the action `write`."),
    );
  });

  test("of a folder is refused what concerns the instance", () => {
    expect(() => authorize({ scope: FULL_SCOPE }, "admin", "instance")).not.toThrow();
    expect(() => authorize({ scope: scope(["read"]) }, "admin", "instance")).toThrow(
      "needs the action `admin`",
    );
    expect(() => authorize({ scope: scope(["admin"], "a") }, "admin", "instance")).toThrow(
      "limited to a folder",
    );
  });

  test.each([
    ["a", "a", "yes"],
    ["a", "a/b", "yes"],
    ["a", "a/b/c", "yes"],
    ["a", "ab", "outside"],
    ["a", "a0", "outside"],
    ["a", "a_b/c", "outside"],
    ["a", "", "outside"],
    ["a/b", "a", "outside"],
    ["a/b", "a/bc", "outside"],
    ["a", "A", "outside"],
    ["", "", "yes"],
    ["", "x/y", "yes"],
  ] as const)("of folder %j: %j is %s", async (top, subject, answer) => {
    const tree = { topFolder: () => ({ key: key(top) }) };
    const nothing = { topFolder: () => undefined };
    const callerTo = (action: KeyAction): Caller => callerWith(COMMAND, scope([action], "id"));
    const verdict = (caller: Caller, of: typeof tree | typeof nothing): Promise<unknown> =>
      Promise.resolve(authorize(caller, "write", () => findDestination(caller, of, key(subject))))
        .then(() => findDestination(caller, of, key(subject)))
        .then(
          () => "yes",
          ({ kind }: Fault) => (kind === "not_found" ? "outside" : kind),
        );
    expect(await mayDo(callerTo("read"), tree, "read", key(subject))).toBe(answer === "yes");
    expect(await mayDo(callerTo("read"), tree, "write", key(subject))).toBe(false);
    expect(await mayDo(callerTo("read"), nothing, "read", key(subject))).toBe(false);
    expect(await verdict(callerTo("write"), tree)).toBe(answer);
    const expected = answer === "yes" ? "forbidden" : answer;
    expect(await verdict(callerTo("read"), tree)).toBe(expected);
    expect(await verdict(callerTo("write"), nothing)).toBe("outside");
  });
});

describe("the top folder of a scope", () => {
  test.each([
    [[], ""],
    [["a"], "a"],
    [["a/b", "a"], "a/b"],
    [["a", "a/b", ""], "a/b"],
    [["a", "ab"], undefined],
    [["a/b", "a/c"], undefined],
    [["a", undefined], undefined],
  ] as const)("of %j is %j", (folders, top) => {
    const keys = folders.map((path) => (path === undefined ? undefined : key(path)));
    expect(topOf(keys)).toBe(top === undefined ? undefined : key(top));
  });

  test("contains exactly what all its folders contain", () => {
    const path = fc
      .array(fc.constantFrom("a", "ab", "b", "a_b"), { maxLength: 4 })
      .map((names) => key(names.join("/")));
    fc.assert(
      fc.property(fc.array(path, { maxLength: 4 }), path, (folders, subject) => {
        const top = topOf(folders);
        const inAll = folders.every((folder) => isInFolder(subject, folder));
        expect(top !== undefined && isInFolder(subject, top)).toBe(inAll);
      }),
      { numRuns: 2000 },
    );
  });
});
