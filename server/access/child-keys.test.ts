import { afterEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { openSqliteCatalog } from "../catalog/sqlite/sqlite-catalog.ts";
import { COMMAND_EVERYWHERE } from "../domain/callers/caller.ts";
import { allows, isInFolder, topOf } from "../domain/callers/scope.ts";
import { Fault } from "../domain/faults/fault.ts";
import { parseKey } from "../domain/names/name.ts";
import { type ApiKeyRecord, KEY_ACTIONS, type Key, type KeyAction } from "../domain/records.ts";
import { createApiKeys, type NewApiKey } from "./api-keys.ts";
import { scopeOf } from "./authenticate.ts";
import { createClock, dropCredentials, emptyCredentials, SECOND } from "./credentials.fixture.ts";

afterEach(dropCredentials);

async function open(...folders: string[]) {
  const catalog = await emptyCredentials(openSqliteCatalog);
  for (const folder of folders) await catalog.createFolder(COMMAND_EVERYWHERE, parseKey(folder));
  const clock = createClock();
  return { catalog, clock, keys: createApiKeys(catalog, clock.now) };
}

describe("a key with limits", () => {
  test("is created with them, its actions in a fixed order and once each", async () => {
    const { keys } = await open("a");
    const { record, secret } = await keys.create({
      name: "limited",
      actions: ["write", "list", "write"],
      folder: { key: parseKey("a") },
    });
    expect(record).toMatchObject({
      actions: ["list", "write"],
      folderKeys: [parseKey("a")],
      parentId: null,
      expiresAt: null,
    });
    const key = await keys.authenticate(secret);
    expect(key && scopeOf({ kind: "key", key })).toEqual({
      actions: new Set<KeyAction>(["list", "write"]),
      folderIds: record.folderIds,
    });
  });

  test("without `keys` may not create keys", async () => {
    const { keys } = await open();
    const { record } = await keys.create({ name: "reader", actions: ["read"] });
    await expect(keys.create({ name: "child" }, record)).rejects.toEqual(
      new Fault("forbidden", "This API key may not do that: it needs the action `keys`."),
    );
  });

  test("gives its children its rights unless they ask for fewer", async () => {
    const { keys } = await open("a/b");
    const { record: parent } = await keys.create({
      name: "parent",
      actions: ["list", "read", "keys"],
      folder: { key: parseKey("a") },
      expiresIn: 60,
    });
    const { actions, folderIds, expiresAt } = parent;
    const { record: same } = await keys.create({ name: "same", actions }, parent);
    expect(same).toMatchObject({ actions, folderIds, expiresAt, parentId: parent.id });
    const { record: usual } = await keys.create({ name: "usual" }, parent);
    expect(usual).toMatchObject({ actions: ["list", "read"], folderIds, expiresAt });
    const fewer = { actions: ["read"], folder: { key: parseKey("a/b") }, expiresIn: 59 } as const;
    const { record: child } = await keys.create({ name: "fewer", ...fewer }, parent);
    expect(child).toMatchObject({ actions: ["read"], parentId: parent.id });
    expect(child.expiresAt).toBe(parent.createdAt + 59 * SECOND);
    expect((await keys.list(parent)).map(({ name }) => name).sort()).toEqual([
      "fewer",
      "same",
      "usual",
    ]);
  });

  const refused: readonly (readonly [string, Partial<NewApiKey>, string])[] = [
    ["another action", { actions: ["read", "delete", "write"] }, "lacks: `write`, `delete`."],
    ["admin", { actions: ["admin"] }, "lacks: `admin`."],
    ["a later end", { expiresIn: 61 }, "expires at 2026-01-31 00:01:00 UTC"],
    ["no end", { expiresIn: null }, "expires at 2026-01-31 00:01:00 UTC"],
  ];
  test.each(refused)("may not give a child %s", async (_, wanted, message) => {
    const { keys } = await open();
    const rights = { actions: ["read", "keys"], expiresIn: 60 } as const;
    const { record } = await keys.create({ name: "parent", ...rights });
    const attempt = keys.create({ name: "child", ...wanted }, record);
    await expect(attempt).rejects.toMatchObject({ kind: "forbidden" });
    await expect(attempt).rejects.toThrow(message);
    await attempt.catch(() => {});
    expect(await keys.list()).toHaveLength(1);
  });

  test("sees, renames and revokes only its descendants", async () => {
    const { keys } = await open();
    const rights = { actions: ["keys"] } as const;
    const { record: parent } = await keys.create({ name: "parent", ...rights });
    const { record: other } = await keys.create({ name: "other", ...rights });
    const { record: child } = await keys.create({ name: "child", ...rights }, parent);
    const { record: grandchild, secret } = await keys.create(
      { name: "grandchild", ...rights },
      child,
    );
    const names = async (key: ApiKeyRecord) => (await keys.list(key)).map(({ name }) => name);
    expect((await names(parent)).toSorted()).toEqual(["child", "grandchild"]);
    expect(await names(child)).toEqual(["grandchild"]);
    expect(await names(other)).toEqual([]);
    for (const { id } of [parent, child, other]) {
      await expect(keys.rename(id, "new", child)).rejects.toMatchObject({ kind: "not_found" });
      expect(await keys.revoke(id, child)).toEqual([]);
    }
    expect(await keys.rename(grandchild.id, "new", parent)).toMatchObject({ name: "new" });
    expect(await keys.revoke(child.id, parent)).toEqual([child.id, grandchild.id]);
    expect(await keys.authenticate(secret)).toBeUndefined();
  });

  test("sees the folder of a child as deleted while it is outside its own", async () => {
    const { catalog, keys } = await open("a/b", "c");
    const inA = { actions: ["keys"], folder: { key: parseKey("a") } } as const;
    const { record: parent } = await keys.create({ name: "parent", ...inA });
    const inB = { ...inA, name: "child", folder: { key: parseKey("a/b") } };
    const { record: child } = await keys.create(inB, parent);
    const [id = ""] = child.folderIds;
    const root = await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey(""));
    await catalog.changeFolder(COMMAND_EVERYWHERE, { id, parentId: root?.id ?? "" });
    expect((await keys.list(parent))[0]?.folderKeys[0]).toBeNull();
    expect((await keys.list()).find((key) => key.id === child.id)?.folderKeys[0]).toBe(
      parseKey("b"),
    );
  });
});

test("a child can never do what its parent cannot, wherever folders are moved", async () => {
  const paths = ["a", "a/b", "a/b/c", "ab", "ab/c"].map((path) => parseKey(path));
  const actions = fc.subarray([...KEY_ACTIONS], { minLength: 1 });
  const folder = fc.option(fc.nat(paths.length - 1), { nil: undefined });
  const chain = fc.array(fc.record({ actions, folder }), { minLength: 2, maxLength: 5 });
  const moves = fc.array(fc.tuple(fc.nat(paths.length - 1), fc.nat(paths.length)), {
    maxLength: 4,
  });
  const { catalog, keys } = await open(...paths);
  const folderIds = await Promise.all(
    paths.map(async (path) => (await catalog.folderByKey(COMMAND_EVERYWHERE, path))?.id ?? ""),
  );
  const rootId = (await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("")))?.id ?? "";
  const keyOf = async (id: string): Promise<Key | undefined> =>
    (await catalog.folderById(COMMAND_EVERYWHERE, id))?.key;

  /** What a key may do, as a list of actions and folders. */
  async function rightsOf(key: ApiKeyRecord): Promise<Set<string>> {
    const scope = scopeOf({ kind: "key", key });
    const top = topOf(await Promise.all(scope.folderIds.map(keyOf)));
    const rights = new Set<string>();
    for (const id of [rootId, ...folderIds]) {
      const subject = (await keyOf(id)) ?? parseKey("");
      for (const action of KEY_ACTIONS) {
        if (top !== undefined && isInFolder(subject, top) && allows(scope, action))
          rights.add(`${action} ${subject}`);
      }
    }
    return rights;
  }

  await fc.assert(
    fc.asyncProperty(chain, moves, moves, async (wanted, before, after) => {
      const move = async (steps: [number, number][]) => {
        for (const [from, to] of steps) {
          const target = { id: folderIds[from] ?? "", parentId: folderIds[to] ?? rootId };
          // Some moves are impossible: into itself, or to a place where the name is taken.
          await catalog.changeFolder(COMMAND_EVERYWHERE, target).catch(() => {});
        }
      };
      await move(before);
      const made: ApiKeyRecord[] = [];
      for (const link of wanted) {
        const id = link.folder === undefined ? undefined : folderIds[link.folder];
        const place = id === undefined ? {} : { folder: { id } };
        const rights = { name: "link", actions: link.actions, ...place };
        const parent = made.at(-1);
        const one = await keys.create(rights, parent).catch((cause: unknown) => {
          expect(cause).toBeInstanceOf(Fault);
        });
        if (one !== undefined) made.push(one.record);
      }
      await move(after);
      const rights = await Promise.all(made.map(rightsOf));
      for (const [index, own] of rights.entries()) {
        const parents = rights[index - 1];
        if (parents !== undefined) expect([...own.difference(parents)]).toEqual([]);
      }
    }),
    { numRuns: 150 },
  );
});
