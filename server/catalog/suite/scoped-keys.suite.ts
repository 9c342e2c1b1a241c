import { describe, expect, test } from "bun:test";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import type { Catalog } from "../port/catalog.ts";
import type { ListedApiKey, NewApiKeyRecord } from "../port/credentials.ts";
import { type CatalogFixture, expectFault, folderAt } from "./catalog.fixture.ts";

type Wanted = Partial<Pick<NewApiKeyRecord, "parentId" | "folder">>;

/** Adds a key with this id and name. */
export const addApiKey = (
  catalog: Catalog,
  id: string,
  wanted: Wanted = {},
): Promise<ListedApiKey> =>
  catalog.addApiKey({
    id,
    hash: `hash ${id}`,
    name: id,
    prefix: "hd_abcd",
    createdAt: 1,
    lastUsedAt: null,
    expiresAt: null,
    actions: ["list", "keys"],
    folder: null,
    parentId: null,
    ...wanted,
  });

const at = (path: string): Wanted => ({ folder: { key: parseKey(path) } });
const ids = async (catalog: Catalog): Promise<string[]> =>
  (await catalog.apiKeys()).map(({ id }) => id).sort();

export function scopedKeysSuite(fixture: () => CatalogFixture): void {
  describe("an API key for a folder", () => {
    test("keeps the folder when it is renamed, and not another one of the same name", async () => {
      const { catalog } = fixture();
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a/b"));
      const { id } = await folderAt(catalog, "a/b");
      const key = await addApiKey(catalog, "key", at("a/b"));
      expect(key).toMatchObject({ folderIds: [id], folderKeys: [parseKey("a/b")] });
      expect(await addApiKey(catalog, "same", { folder: { id } })).toMatchObject({
        folderIds: [id],
      });
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id, name: parseName("c") });
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a/b"));
      const { folderKeys: _, ...found } = key;
      expect(await catalog.apiKeyByHash("hash key")).toEqual({ ...found, secretEndsAt: null });
      const [listed] = await catalog.apiKeys();
      expect(listed?.folderKeys).toEqual([parseKey("a/c")]);
      const renamed = await catalog.renameApiKey({ id: "key", name: "new" });
      expect(renamed).toEqual({ ...key, name: "new", folderKeys: [parseKey("a/c")] });
      await catalog.removeFolder(COMMAND_EVERYWHERE, id);
      expect((await catalog.apiKeys()).map(({ folderKeys }) => folderKeys)).toEqual([
        [null],
        [null],
      ]);
    });

    test("needs a folder that exists; the root limits nothing", async () => {
      const { catalog } = fixture();
      const { id } = await folderAt(catalog, "");
      await expectFault(addApiKey(catalog, "key", at("nowhere")), "not_found");
      await expectFault(addApiKey(catalog, "key", { folder: { id: "nope" } }), "not_found");
      expect(await addApiKey(catalog, "root", at(""))).toMatchObject({ folderIds: [] });
      expect(await addApiKey(catalog, "id", { folder: { id } })).toMatchObject({ folderIds: [] });
      expect(await ids(catalog)).toEqual(["id", "root"]);
    });

    test("gives its folder to its children, or one inside, and no other", async () => {
      const { catalog } = fixture();
      for (const path of ["a/b/c", "ab", "a0"])
        await catalog.createFolder(COMMAND_EVERYWHERE, parseKey(path));
      const { id: a } = await folderAt(catalog, "a");
      const { id: b } = await folderAt(catalog, "a/b");
      const { id: c } = await folderAt(catalog, "a/b/c");
      await addApiKey(catalog, "top", at("a"));
      const child = { parentId: "top" };
      expect(await addApiKey(catalog, "same", child)).toMatchObject({
        folderIds: [a],
        parentId: "top",
      });
      expect(await addApiKey(catalog, "own", { ...child, ...at("a") })).toMatchObject({
        folderIds: [a],
      });
      expect(await addApiKey(catalog, "below", { ...child, ...at("a/b") })).toMatchObject({
        folderIds: [b, a],
        folderKeys: [parseKey("a/b"), parseKey("a")],
      });
      const grandchild = await addApiKey(catalog, "deep", { parentId: "below", ...at("a/b/c") });
      expect(grandchild.folderIds).toEqual([c, b, a]);
      for (const [parentId, path] of [
        ["top", ""],
        ["top", "ab"],
        ["top", "a0"],
        ["top", "nowhere"],
        ["below", "a"],
      ] as const) {
        const refused = addApiKey(catalog, "outside", { parentId, ...at(path) });
        await expectFault(refused, "not_found", "No such folder to limit the API key to.");
      }
      await catalog.changeFolder(COMMAND_EVERYWHERE, {
        id: b,
        parentId: (await folderAt(catalog, "")).id,
      });
      await expectFault(
        addApiKey(catalog, "moved", { parentId: "below", folder: { id: c } }),
        "not_found",
      );
    });
  });

  describe("the descendants of an API key", () => {
    test("have at most four generations", async () => {
      const { catalog } = fixture();
      await addApiKey(catalog, "0");
      for (const generation of [1, 2, 3, 4]) {
        await addApiKey(catalog, `${generation}`, { parentId: `${generation - 1}` });
      }
      await expectFault(addApiKey(catalog, "5", { parentId: "4" }), "forbidden", "4 generations");
      expect(await ids(catalog)).toEqual(["0", "1", "2", "3", "4"]);
    });

    test("are revoked with it, and no other key is", async () => {
      const { catalog } = fixture();
      await addApiKey(catalog, "top");
      await addApiKey(catalog, "other");
      for (const [id, parentId] of [
        ["a", "top"],
        ["b", "top"],
        ["a1", "a"],
        ["a2", "a"],
        ["a11", "a1"],
        ["other1", "other"],
      ] as const) {
        await addApiKey(catalog, id, { parentId });
      }
      expect(await catalog.removeApiKey({ id: "a" })).toEqual(["a", "a1", "a2", "a11"]);
      expect(await ids(catalog)).toEqual(["b", "other", "other1", "top"]);
      expect(await catalog.apiKeyByHash("hash a11")).toBeUndefined();
      await expectFault(addApiKey(catalog, "late", { parentId: "a1" }), "unauthorized");
      expect(await catalog.removeApiKey({ id: "top" })).toEqual(["top", "b"]);
    });

    test("are all that it may rename and revoke", async () => {
      const { catalog } = fixture();
      for (const id of ["top", "other"]) await addApiKey(catalog, id);
      await addApiKey(catalog, "child", { parentId: "top" });
      await addApiKey(catalog, "grandchild", { parentId: "child" });
      const ancestorId = "child";
      for (const id of ["top", "child", "other", "nope"]) {
        await expectFault(catalog.renameApiKey({ id, name: "new", ancestorId }), "not_found");
        expect(await catalog.removeApiKey({ id, ancestorId })).toEqual([]);
      }
      const renamed = await catalog.renameApiKey({ id: "grandchild", name: "new", ancestorId });
      expect(renamed.name).toBe("new");
      const reached = await catalog.removeApiKey({ id: "grandchild", ancestorId: "top" });
      expect(reached).toEqual(["grandchild"]);
      expect((await catalog.apiKeys()).map(({ name }) => name).sort()).toEqual([
        "child",
        "other",
        "top",
      ]);
    });

    test("are gone however creating them races with revoking it", async () => {
      const { catalog } = fixture();
      for (let round = 0; round < 8; round += 1) {
        const top = `top ${round}`;
        await addApiKey(catalog, top);
        await addApiKey(catalog, `${top} a`, { parentId: top });
        const children = [1, 2, 3, 4].map((index) =>
          addApiKey(catalog, `${top} a ${index}`, { parentId: `${top} a` }),
        );
        const outcomes = Promise.allSettled(children);
        const [one, two] = await Promise.all([
          catalog.removeApiKey({ id: top }),
          catalog.removeApiKey({ id: `${top} a` }),
        ]);
        expect(new Set([...one, ...two]).size).toBe(one.length + two.length);
        for (const outcome of await outcomes) {
          if (outcome.status === "rejected") {
            expect(outcome.reason).toMatchObject({ kind: "unauthorized" });
          }
        }
        expect(await ids(catalog)).toEqual([]);
      }
    });
  });
}
