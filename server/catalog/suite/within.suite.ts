import { describe, expect, test } from "bun:test";
import { parseKey, parseName } from "../../domain/names/name.ts";
import { nameMatch } from "../../domain/names/name-match.ts";
import type { Page } from "../../domain/records.ts";
import type { Catalog } from "../port/catalog.ts";
import type { Within } from "../port/file-tree.ts";
import {
  type CatalogFixture,
  createUploader,
  expectFault,
  folderAt,
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

  const keysWithin = async (catalog: Catalog, within: Within, page: Partial<Page> = {}) =>
    (await listAll(catalog, { within }, page)).map(({ key }) => `${key}`);

  async function seen(catalog: Catalog, within: Within): Promise<string[]> {
    const match = nameMatch("f");
    if (match === undefined) throw new Error("No match.");
    const search = { match, below: parseKey(""), limit: 100, within };
    return (await recordsFound(catalog.findFiles(search))).map(({ key }) => `${key}`);
  }

  describe("within a folder", () => {
    test("finds what is in it at any depth, and nothing else", async () => {
      const { catalog } = fixture();
      const { inside, deep, outside, limit } = await makeTree(catalog);
      const within = [limit.id];
      for (const file of [inside, deep]) {
        expect(await catalog.fileById(file.id, within)).toEqual(file);
        expect(await catalog.fileByKey(file.key, within)).toEqual(file);
        const folder = await catalog.folderById(file.folderId);
        expect(await catalog.folderById(file.folderId, within)).toEqual(folder);
        expect(await catalog.folderByKey(folder?.key ?? parseKey(""), within)).toEqual(folder);
      }
      for (const file of outside) {
        expect(await catalog.fileById(file.id, within)).toBeUndefined();
        expect(await catalog.fileByKey(file.key, within)).toBeUndefined();
        expect(await catalog.folderById(file.folderId, within)).toBeUndefined();
        const folder = await catalog.folderById(file.folderId);
        expect(await catalog.folderByKey(folder?.key ?? parseKey(""), within)).toBeUndefined();
        expect(await listAll(catalog, { folderId: file.folderId, within })).toEqual([]);
        const below = (await Array.fromAsync(catalog.listFolders(file.folderId, within))).flat();
        expect(below.filter(({ id }) => id !== limit.id)).toEqual([]);
        const peeked = await Array.fromAsync(catalog.listFoldersWithPeek(file.folderId, within));
        expect(peeked.flat().map(({ peek }) => peek)).toEqual(below.map(() => [inside]));
        expect(await catalog.takenName(folder?.key ?? parseKey(""), [file.name], within)).toBe(
          undefined,
        );
      }
      expect(await catalog.takenName(parseKey("a"), [parseName("f")], within)).toBe(parseName("f"));
      expect(await keysWithin(catalog, within)).toEqual(["a/f", "a/b/c/g"]);
      expect(await listAll(catalog, { name: parseName("f"), within })).toEqual([inside]);
      expect(await listAll(catalog, { folderId: limit.id, within })).toEqual([inside]);
      const folders = (await Array.fromAsync(catalog.listFolders(limit.id, within))).flat();
      expect(folders.map(({ key }) => `${key}`)).toEqual(["a/b"]);
      const { folderId } = deep;
      const above = (await catalog.folderById(folderId))?.parentId ?? "";
      const peeked = (await Array.fromAsync(catalog.listFoldersWithPeek(above, within))).flat();
      expect(peeked).toMatchObject([{ id: folderId, peek: [deep] }]);
      expect(await seen(catalog, within)).toEqual(["a/f"]);
      expect(await catalog.measure(parseKey("a"), within)).toEqual({
        files: 2,
        folders: 2,
        bytes: 2,
      });
      expect(await catalog.measure(parseKey("ab"), within)).toEqual({
        files: 0,
        folders: 0,
        bytes: 0,
      });
      const ids = [deep, ...outside, inside].map(({ folderId }) => folderId);
      expect(await catalog.measureEach(ids, within)).toEqual([
        { id: deep.folderId, key: parseKey("a/b/c"), files: 1, folders: 0, bytes: 1 },
        { id: inside.folderId, key: parseKey("a"), files: 2, folders: 2, bytes: 2 },
      ]);
      expect(await catalog.topFolder(within)).toEqual(limit);
    });

    test("follows the folder when it or one above it is renamed or moved", async () => {
      const { catalog } = fixture();
      const { uploader, inside, limit } = await makeTree(catalog);
      const within = [limit.id];
      await catalog.changeFolder({ id: limit.id, name: parseName("z") });
      expect(await keysWithin(catalog, within)).toEqual(["z/f", "z/b/c/g"]);
      const parent = await catalog.createFolder(parseKey("p/q"));
      await catalog.changeFolder({ id: limit.id, parentId: parent.id });
      await catalog.changeFolder({
        id: (await folderAt(catalog, "p")).id,
        name: parseName("r"),
      });
      expect(await keysWithin(catalog, within)).toEqual(["r/q/z/f", "r/q/z/b/c/g"]);
      expect((await catalog.fileById(inside.id, within))?.key).toBe(parseKey("r/q/z/f"));
      const impostor = await uploader.addOne("f", { folder: "a" });
      expect(await catalog.fileById(impostor.id, within)).toBeUndefined();
      expect(await catalog.fileByKey(impostor.key, within)).toBeUndefined();
    });

    test("finds nothing once the folder is removed, not even in a new one of its name", async () => {
      const { catalog } = fixture();
      const { uploader, inside, deep, limit } = await makeTree(catalog);
      const within = [limit.id];
      await catalog.removeFolder(limit.id);
      const again = await uploader.addOne("f", { folder: "a" });
      for (const { id, key, folderId } of [inside, deep, again]) {
        expect(await catalog.fileById(id, within)).toBeUndefined();
        expect(await catalog.fileByKey(key, within)).toBeUndefined();
        expect(await catalog.folderById(folderId, within)).toBeUndefined();
      }
      expect(await catalog.topFolder(within)).toBeUndefined();
      expect(await keysWithin(catalog, within)).toEqual([]);
      expect(await seen(catalog, within)).toEqual([]);
      await expectFault(uploader.addOne("h", { folder: "a", within }), "not_found");
      while (await catalog.emptyRemovedFolders(1000));
      expect(await keysWithin(catalog, within)).toEqual([]);
      await expectFault(catalog.createFolder(parseKey("a/b"), within), "not_found");
    });

    test("with several folders, means what is in all of them", async () => {
      const { catalog } = fixture();
      const { inside, deep, limit } = await makeTree(catalog);
      const inner = await folderAt(catalog, "a/b");
      const other = await folderAt(catalog, "b");
      for (const within of [
        [inner.id, limit.id],
        [limit.id, inner.id],
      ]) {
        expect(await catalog.topFolder(within)).toEqual(inner);
        expect(await keysWithin(catalog, within)).toEqual(["a/b/c/g"]);
        expect(await catalog.fileById(deep.id, within)).toEqual(deep);
        expect(await catalog.fileById(inside.id, within)).toBeUndefined();
      }
      expect(await keysWithin(catalog, [limit.id, other.id])).toEqual([]);
      expect(await catalog.topFolder([limit.id, other.id])).toBeUndefined();
      await catalog.changeFolder({ id: inner.id, parentId: other.id });
      expect(await keysWithin(catalog, [inner.id, limit.id])).toEqual([]);
      expect(await catalog.topFolder([inner.id, limit.id])).toBeUndefined();
    });

    test("of the root, means everything", async () => {
      const { catalog } = fixture();
      await makeTree(catalog);
      const root = await folderAt(catalog, "");
      const all = (await listAll(catalog)).map(({ key }) => `${key}`);
      expect(await keysWithin(catalog, [root.id])).toEqual(all);
      const limit = await folderAt(catalog, "a");
      expect(await keysWithin(catalog, [root.id, limit.id])).toEqual(["a/f", "a/b/c/g"]);
      expect(await keysWithin(catalog, [root.id], { offset: 2 })).toEqual(all.slice(2));
    });

    test("changes only what is in it", async () => {
      const { catalog } = fixture();
      const { uploader, inside, deep, outside, limit } = await makeTree(catalog);
      const within = [limit.id];
      const target = await folderAt(catalog, "b");
      const before = await listAll(catalog);
      for (const { id, folderId } of outside) {
        const change = { id, name: parseName("x"), within };
        await expectFault(catalog.changeFile(change), "not_found", "No such file.");
        const folderChange = { id: folderId, visibility: "private", within } as const;
        await expectFault(catalog.changeFolder(folderChange), "not_found", "No such folder.");
        await expectFault(catalog.removeFolder(folderId, within), "not_found", "No such folder.");
      }
      const ids = outside.map(({ id }) => id);
      expect(await catalog.removeFiles(ids, within)).toEqual([]);
      const out = { id: inside.id, folderId: target.id, within };
      await expectFault(catalog.changeFile(out), "not_found", "No such folder to move to.");
      const inner = await folderAt(catalog, "a/b");
      const folderOut = { id: inner.id, parentId: target.id, within };
      await expectFault(catalog.changeFolder(folderOut), "not_found", "No such folder to move to.");
      for (const key of ["ab/x", "x", "b/x", "f/x"]) {
        await expectFault(catalog.createFolder(parseKey(key), within), "not_found");
      }
      for (const folder of ["", "ab", "new", "f/x"]) {
        await expectFault(uploader.addOne("f", { folder, within }), "not_found");
      }
      expect(await listAll(catalog)).toEqual(before);

      const moved = await catalog.changeFile({ id: inside.id, folderId: inner.id, within });
      expect(moved.key).toBe(parseKey("a/b/f"));
      await catalog.changeFolder({ id: inner.id, name: parseName("d"), within });
      expect((await uploader.addOne("n", { folder: "a/new/x", within })).key).toBe(
        parseKey("a/new/x/n"),
      );
      await catalog.createFolder(parseKey("a/other"), within);
      const removed = await catalog.removeFiles([deep.id, ...ids, inside.id], within);
      expect(removed.map(({ id }) => id)).toEqual([deep.id, inside.id]);
      await catalog.removeFolder((await folderAt(catalog, "a/new")).id, within);
      expect(await keysWithin(catalog, within)).toEqual([]);
    });

    test("does not change the place of the folder itself", async () => {
      const { catalog } = fixture();
      const { limit, outside } = await makeTree(catalog);
      const within = [limit.id];
      const inner = await folderAt(catalog, "a/b");
      await expectFault(
        catalog.changeFolder({ id: limit.id, name: parseName("x"), within }),
        "forbidden",
      );
      await expectFault(catalog.removeFolder(limit.id, within), "forbidden");
      for (const parentId of [limit.parentId ?? "", outside[1]?.folderId ?? ""]) {
        const change = { id: limit.id, parentId, within };
        await expectFault(catalog.changeFolder(change), "not_found", "No such folder to move to.");
      }
      const change = { id: limit.id, parentId: inner.id, within };
      await expectFault(catalog.changeFolder(change), "forbidden");
      const own = { id: limit.id, name: parseName("a"), visibility: "private", within } as const;
      expect((await catalog.changeFolder(own)).key).toBe(parseKey("a"));
      expect((await listAll(catalog, { within })).map(({ visibility }) => visibility)).toEqual([
        "private",
        "private",
      ]);
      expect((await catalog.fileById(outside[0]?.id ?? ""))?.visibility).toBe("public");
    });
  });
}
