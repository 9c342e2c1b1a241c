import { describe, expect, test } from "bun:test";
import { type Caller, COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import { nameMatch } from "../../domain/names/name-match.ts";
import type { Page } from "../../domain/records.ts";
import type { Catalog } from "../port/catalog.ts";
import {
  type CatalogFixture,
  createUploader,
  expectFault,
  folderAt,
  limitedTo,
  listAll,
  recordsFound,
} from "./catalog.fixture.ts";

/** Operations that are limited to some folders. */
export function withinSuite(fixture: () => CatalogFixture): void {
  /** A folder `a` with files, and neighbours whose keys begin alike. */
  async function makeTree(catalog: Catalog) {
    const uploader = createUploader(catalog);
    const inside = await uploader.addOne("f", { folder: "a" });
    const deep = await uploader.addOne("g", { folder: "a/b/c" });
    const outside = await Promise.all(
      ["", "ab", "a0", "a_", "b", "a b"].map((folder) => uploader.addOne("f", { folder })),
    );
    return { uploader, inside, deep, outside, limit: await folderAt(catalog, "a") };
  }

  const keysWithin = async (catalog: Catalog, caller: Caller, page: Partial<Page> = {}) =>
    (await listAll(catalog, { caller }, page)).map(({ key }) => `${key}`);

  async function seen(catalog: Catalog, caller: Caller): Promise<string[]> {
    const match = nameMatch("f");
    if (match === undefined) throw new Error("No match.");
    const search = { match, below: parseKey(""), limit: 100 };
    return (await recordsFound(catalog.findFiles(caller, search))).map(({ key }) => `${key}`);
  }

  describe("within a folder", () => {
    test("finds what is in it at any depth, and nothing else", async () => {
      const { catalog } = fixture();
      const { inside, deep, outside, limit } = await makeTree(catalog);
      const caller = limitedTo([limit.id]);
      for (const file of [inside, deep]) {
        expect(await catalog.fileById(caller, file.id)).toEqual(file);
        expect(await catalog.fileByKey(caller, file.key)).toEqual(file);
        const folder = await catalog.folderById(COMMAND_EVERYWHERE, file.folderId);
        expect(await catalog.folderById(caller, file.folderId)).toEqual(folder);
        expect(await catalog.folderByKey(caller, folder?.key ?? parseKey(""))).toEqual(folder);
      }
      for (const file of outside) {
        expect(await catalog.fileById(caller, file.id)).toBeUndefined();
        expect(await catalog.fileByKey(caller, file.key)).toBeUndefined();
        expect(await catalog.folderById(caller, file.folderId)).toBeUndefined();
        const folder = await catalog.folderById(COMMAND_EVERYWHERE, file.folderId);
        expect(await catalog.folderByKey(caller, folder?.key ?? parseKey(""))).toBeUndefined();
        expect(await listAll(catalog, { folderId: file.folderId, caller })).toEqual([]);
        const below = (await Array.fromAsync(catalog.listFolders(caller, file.folderId))).flat();
        expect(below.filter(({ id }) => id !== limit.id)).toEqual([]);
        const peeked = await Array.fromAsync(catalog.listFoldersWithPeek(caller, file.folderId));
        expect(peeked.flat().map(({ peek }) => peek)).toEqual(below.map(() => [inside]));
        expect(await catalog.takenName(caller, folder?.key ?? parseKey(""), [file.name])).toBe(
          undefined,
        );
      }
      expect(await catalog.takenName(caller, parseKey("a"), [parseName("f")])).toBe(parseName("f"));
      expect(await keysWithin(catalog, caller)).toEqual(["a/f", "a/b/c/g"]);
      expect(await listAll(catalog, { name: parseName("f"), caller })).toEqual([inside]);
      expect(await listAll(catalog, { folderId: limit.id, caller })).toEqual([inside]);
      const folders = (await Array.fromAsync(catalog.listFolders(caller, limit.id))).flat();
      expect(folders.map(({ key }) => `${key}`)).toEqual(["a/b"]);
      const { folderId } = deep;
      const above = (await catalog.folderById(COMMAND_EVERYWHERE, folderId))?.parentId ?? "";
      const peeked = (await Array.fromAsync(catalog.listFoldersWithPeek(caller, above))).flat();
      expect(peeked).toMatchObject([{ id: folderId, peek: [deep] }]);
      expect(await seen(catalog, caller)).toEqual(["a/f"]);
      expect(await catalog.measure(caller, parseKey("a"))).toEqual({
        files: 2,
        folders: 2,
        bytes: 2,
      });
      expect(await catalog.measure(caller, parseKey("ab"))).toEqual({
        files: 0,
        folders: 0,
        bytes: 0,
      });
      const ids = [deep, ...outside, inside].map(({ folderId }) => folderId);
      expect(await catalog.measureEach(caller, ids)).toEqual([
        { id: deep.folderId, key: parseKey("a/b/c"), files: 1, folders: 0, bytes: 1 },
        { id: inside.folderId, key: parseKey("a"), files: 2, folders: 2, bytes: 2 },
      ]);
      expect(await catalog.topFolder(caller)).toEqual(limit);
    });

    test("follows the folder when it or one above it is renamed or moved", async () => {
      const { catalog } = fixture();
      const { uploader, inside, limit } = await makeTree(catalog);
      const caller = limitedTo([limit.id]);
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id: limit.id, name: parseName("z") });
      expect(await keysWithin(catalog, caller)).toEqual(["z/f", "z/b/c/g"]);
      const parent = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("p/q"));
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id: limit.id, parentId: parent.id });
      await catalog.changeFolder(COMMAND_EVERYWHERE, {
        id: (await folderAt(catalog, "p")).id,
        name: parseName("r"),
      });
      expect(await keysWithin(catalog, caller)).toEqual(["r/q/z/f", "r/q/z/b/c/g"]);
      expect((await catalog.fileById(caller, inside.id))?.key).toBe(parseKey("r/q/z/f"));
      const impostor = await uploader.addOne("f", { folder: "a" });
      expect(await catalog.fileById(caller, impostor.id)).toBeUndefined();
      expect(await catalog.fileByKey(caller, impostor.key)).toBeUndefined();
    });

    test("finds nothing once the folder is removed, not even in a new one of its name", async () => {
      const { catalog } = fixture();
      const { uploader, inside, deep, limit } = await makeTree(catalog);
      const caller = limitedTo([limit.id]);
      await catalog.removeFolder(COMMAND_EVERYWHERE, limit.id);
      const again = await uploader.addOne("f", { folder: "a" });
      for (const { id, key, folderId } of [inside, deep, again]) {
        expect(await catalog.fileById(caller, id)).toBeUndefined();
        expect(await catalog.fileByKey(caller, key)).toBeUndefined();
        expect(await catalog.folderById(caller, folderId)).toBeUndefined();
      }
      expect(await catalog.topFolder(caller)).toBeUndefined();
      expect(await keysWithin(catalog, caller)).toEqual([]);
      expect(await seen(catalog, caller)).toEqual([]);
      await expectFault(uploader.addOne("h", { folder: "a", caller }), "not_found");
      while (await catalog.emptyRemovedFolders(1000));
      expect(await keysWithin(catalog, caller)).toEqual([]);
      await expectFault(catalog.createFolder(caller, parseKey("a/b")), "not_found");
    });

    test("with several folders, means what is in all of them", async () => {
      const { catalog } = fixture();
      const { inside, deep, limit } = await makeTree(catalog);
      const inner = await folderAt(catalog, "a/b");
      const other = await folderAt(catalog, "b");
      for (const caller of [limitedTo([inner.id, limit.id]), limitedTo([limit.id, inner.id])]) {
        expect(await catalog.topFolder(caller)).toEqual(inner);
        expect(await keysWithin(catalog, caller)).toEqual(["a/b/c/g"]);
        expect(await catalog.fileById(caller, deep.id)).toEqual(deep);
        expect(await catalog.fileById(caller, inside.id)).toBeUndefined();
      }
      expect(await keysWithin(catalog, limitedTo([limit.id, other.id]))).toEqual([]);
      expect(await catalog.topFolder(limitedTo([limit.id, other.id]))).toBeUndefined();
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id: inner.id, parentId: other.id });
      expect(await keysWithin(catalog, limitedTo([inner.id, limit.id]))).toEqual([]);
      expect(await catalog.topFolder(limitedTo([inner.id, limit.id]))).toBeUndefined();
    });

    test("of the root, means everything", async () => {
      const { catalog } = fixture();
      await makeTree(catalog);
      const root = await folderAt(catalog, "");
      const all = (await listAll(catalog)).map(({ key }) => `${key}`);
      expect(await keysWithin(catalog, limitedTo([root.id]))).toEqual(all);
      const limit = await folderAt(catalog, "a");
      expect(await keysWithin(catalog, limitedTo([root.id, limit.id]))).toEqual(["a/f", "a/b/c/g"]);
      expect(await keysWithin(catalog, limitedTo([root.id]), { offset: 2 })).toEqual(all.slice(2));
    });

    test("changes only what is in it", async () => {
      const { catalog } = fixture();
      const { uploader, inside, deep, outside, limit } = await makeTree(catalog);
      const caller = limitedTo([limit.id]);
      const target = await folderAt(catalog, "b");
      const before = await listAll(catalog);
      for (const { id, folderId } of outside) {
        const change = { id, name: parseName("x") };
        await expectFault(catalog.changeFile(caller, change), "not_found", "No such file.");
        const folderChange = { id: folderId, visibility: "private" } as const;
        await expectFault(
          catalog.changeFolder(caller, folderChange),
          "not_found",
          "No such folder.",
        );
        await expectFault(catalog.removeFolder(caller, folderId), "not_found", "No such folder.");
      }
      const ids = outside.map(({ id }) => id);
      expect(await catalog.removeFiles(caller, ids)).toEqual([]);
      const out = { id: inside.id, folderId: target.id };
      await expectFault(catalog.changeFile(caller, out), "not_found", "No such folder to move to.");
      const inner = await folderAt(catalog, "a/b");
      const folderOut = { id: inner.id, parentId: target.id };
      await expectFault(
        catalog.changeFolder(caller, folderOut),
        "not_found",
        "No such folder to move to.",
      );
      for (const key of ["ab/x", "x", "b/x", "f/x"]) {
        await expectFault(catalog.createFolder(caller, parseKey(key)), "not_found");
      }
      for (const folder of ["", "ab", "new", "f/x"]) {
        await expectFault(uploader.addOne("f", { folder, caller }), "not_found");
      }
      expect(await listAll(catalog)).toEqual(before);

      const moved = await catalog.changeFile(caller, { id: inside.id, folderId: inner.id });
      expect(moved.key).toBe(parseKey("a/b/f"));
      await catalog.changeFolder(caller, { id: inner.id, name: parseName("d") });
      expect((await uploader.addOne("n", { folder: "a/new/x", caller })).key).toBe(
        parseKey("a/new/x/n"),
      );
      await catalog.createFolder(caller, parseKey("a/other"));
      const removed = await catalog.removeFiles(caller, [deep.id, ...ids, inside.id]);
      expect(removed.map(({ id }) => id)).toEqual([deep.id, inside.id]);
      await catalog.removeFolder(caller, (await folderAt(catalog, "a/new")).id);
      expect(await keysWithin(catalog, caller)).toEqual([]);
    });

    test("does not change the place of the folder itself", async () => {
      const { catalog } = fixture();
      const { limit, outside } = await makeTree(catalog);
      const caller = limitedTo([limit.id]);
      const inner = await folderAt(catalog, "a/b");
      await expectFault(
        catalog.changeFolder(caller, { id: limit.id, name: parseName("x") }),
        "forbidden",
      );
      await expectFault(catalog.removeFolder(caller, limit.id), "forbidden");
      for (const parentId of [limit.parentId ?? "", outside[1]?.folderId ?? ""]) {
        const change = { id: limit.id, parentId };
        await expectFault(
          catalog.changeFolder(caller, change),
          "not_found",
          "No such folder to move to.",
        );
      }
      const change = { id: limit.id, parentId: inner.id };
      await expectFault(catalog.changeFolder(caller, change), "forbidden");
      const own = { id: limit.id, name: parseName("a"), visibility: "private" } as const;
      expect((await catalog.changeFolder(caller, own)).key).toBe(parseKey("a"));
      expect((await listAll(catalog, { caller })).map(({ visibility }) => visibility)).toEqual([
        "private",
        "private",
      ]);
      expect((await catalog.fileById(COMMAND_EVERYWHERE, outside[0]?.id ?? ""))?.visibility).toBe(
        "public",
      );
    });
  });
}
