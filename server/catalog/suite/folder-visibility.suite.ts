import { describe, expect, test } from "bun:test";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey, ROOT_KEY } from "../../domain/names/name.ts";
import type { Visibility } from "../../domain/records.ts";
import type { Catalog } from "../port/catalog.ts";
import type { CatalogFixture } from "./catalog.fixture.ts";
import { createUploader, expectFault, folderAt, limitedTo } from "./catalog.fixture.ts";
import { createObjects } from "./objects.fixture.ts";
import { createUploads } from "./uploads.fixture.ts";

export function folderVisibilitySuite(fixture: () => CatalogFixture): void {
  describe("the default visibility of a folder", () => {
    const setDefault = async (path: string, defaultVisibility: Visibility | null) => {
      const { catalog } = fixture();
      return catalog.changeFolder(COMMAND_EVERYWHERE, {
        id: (await folderAt(catalog, path)).id,
        defaultVisibility,
      });
    };

    test("applies to uploads that name none, in it and below it, also in folders they create", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const before = await uploader.addOne("before", { folder: "a/b" });
      const changed = await setDefault("a", "private");
      expect(changed).toMatchObject({
        defaultVisibility: "private",
        inheritedVisibility: "private",
      });
      for (const folder of ["a", "a/b", "a/new/deep"]) {
        const file = await uploader.addOne("file", { folder, visibility: "public" });
        expect(file.visibility).toBe("private");
        const named = await uploader.addOne("named", { folder, namedVisibility: "public" });
        expect(named.visibility).toBe("public");
      }
      expect((await uploader.addOne("elsewhere", { folder: "ab" })).visibility).toBe("public");
      expect((await catalog.fileById(COMMAND_EVERYWHERE, before.id))?.visibility).toBe("public");
    });

    test("a folder with its own keeps it, and null makes it inherit its parent's again", async () => {
      const { catalog } = fixture();
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a/b/c"));
      await setDefault("a", "private");
      await setDefault("a/b", "public");
      const inherited = async () =>
        Promise.all(
          ["a", "a/b", "a/b/c"].map(
            async (path) => (await folderAt(catalog, path)).inheritedVisibility,
          ),
        );
      expect(await inherited()).toEqual(["private", "public", "public"]);
      await setDefault("a", "public");
      await setDefault("a", "private");
      expect(await inherited()).toEqual(["private", "public", "public"]);
      await setDefault("a/b", null);
      expect(await inherited()).toEqual(["private", "private", "private"]);
      await setDefault("a", null);
      expect(await inherited()).toEqual([null, null, null]);
    });

    test("changes with the parent of a folder that has none of its own", async () => {
      const { catalog } = fixture();
      for (const path of ["shy", "a/b/c", "a/open"])
        await catalog.createFolder(COMMAND_EVERYWHERE, parseKey(path));
      await setDefault("shy", "private");
      await setDefault("a/open", "public");
      const [shy, a] = [await folderAt(catalog, "shy"), await folderAt(catalog, "a")];
      const moved = await catalog.changeFolder(COMMAND_EVERYWHERE, { id: a.id, parentId: shy.id });
      expect(moved).toMatchObject({ defaultVisibility: null, inheritedVisibility: "private" });
      expect((await folderAt(catalog, "shy/a/b/c")).inheritedVisibility).toBe("private");
      expect((await folderAt(catalog, "shy/a/open")).inheritedVisibility).toBe("public");
      const root = await folderAt(catalog, "");
      const back = { id: a.id, parentId: root.id, defaultVisibility: "public" } as const;
      expect((await catalog.changeFolder(COMMAND_EVERYWHERE, back)).inheritedVisibility).toBe(
        "public",
      );
      expect((await folderAt(catalog, "a/b/c")).inheritedVisibility).toBe("public");
    });

    test("is kept in the trash, and inherited from where a folder is restored to", async () => {
      const { catalog } = fixture();
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a/b/c"));
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a/own"));
      await setDefault("a", "private");
      await setDefault("a/own", "public");
      const ids: string[] = [];
      for (const path of ["a/b", "a/own"]) {
        const { id } = await folderAt(catalog, path);
        await catalog.trashFolder(COMMAND_EVERYWHERE, { id, keepMs: 60_000 });
        ids.push(id);
      }
      await setDefault("a", "public");
      await catalog.restoreTrash(COMMAND_EVERYWHERE, { ids });
      expect((await folderAt(catalog, "a/b/c")).inheritedVisibility).toBe("public");
      await setDefault("a", null);
      expect(await folderAt(catalog, "a/own")).toMatchObject({
        defaultVisibility: "public",
        inheritedVisibility: "public",
      });
      expect(await Array.fromAsync(catalog.inspect())).toEqual([]);
    });

    test("is set with the visibility of all files in one change", async () => {
      const { catalog } = fixture();
      const file = await createUploader(catalog).addOne("file", { folder: "a/b" });
      const { id } = await folderAt(catalog, "a");
      const start = await catalog.feedEnd();
      await catalog.changeFolder(COMMAND_EVERYWHERE, {
        id,
        visibility: "private",
        defaultVisibility: "private",
      });
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id, defaultVisibility: null });
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id, defaultVisibility: null });
      expect((await catalog.fileById(COMMAND_EVERYWHERE, file.id))?.visibility).toBe("private");
      const entries = await catalog.changesAfter(start, 10);
      expect(entries.map(({ change }) => change)).toEqual([
        { kind: "folder.updated", id, key: parseKey("a"), visibility: "private" },
        { kind: "folder.updated", id, key: parseKey("a"), visibility: null },
      ]);
    });

    test("the root has none: the setting applies there", async () => {
      await expectFault(setDefault("", "private"), "invalid", "defaultVisibility");
    });

    test("a change limited to other folders does not find the folder", async () => {
      const { catalog } = fixture();
      const { id } = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a"));
      const other = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("b"));
      const change = { id, defaultVisibility: "private" } as const;
      await expectFault(catalog.changeFolder(limitedTo([other.id]), change), "not_found");
      expect((await catalog.changeFolder(limitedTo([id]), change)).defaultVisibility).toBe(
        "private",
      );
    });

    test("applies to resumable uploads and batches when they are committed", async () => {
      const { catalog } = fixture();
      const uploads = createUploads(catalog);
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("site/sub"));
      const upload = await uploads.add({ folder: parseKey("site/sub") });
      const batch = await uploads.addBatch({ folder: parseKey("site") });
      await uploads.seal(batch, ["one", "new/two"]);
      await uploads.seal(batch, ["named"], { visibility: "public" });
      await setDefault("site", "private");
      expect(await uploads.finish(upload)).toMatchObject({ visibility: "private" });
      await uploads.commit(batch);
      const visibilityOf = async (path: string) =>
        (await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey(path)))?.visibility;
      expect(await visibilityOf("site/one")).toBe("private");
      expect(await visibilityOf("site/new/two")).toBe("private");
      expect(await visibilityOf("site/named")).toBe("public");
    });

    test("applies to objects without an ACL, and does not publish a private one", async () => {
      const { catalog } = fixture();
      const objects = createObjects(catalog);
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("bucket/open"));
      const put = (path: string, visibility: Visibility | null = null) =>
        objects.put(path, { visibility });
      expect((await put("bucket/open/old")).visibility).toBe("private");
      await setDefault("bucket/open", "public");
      expect((await put("bucket/closed")).visibility).toBe("private");
      expect((await put("bucket/open/new/file")).visibility).toBe("public");
      expect((await put("bucket/open/new/file")).visibility).toBe("public");
      expect((await put("bucket/open/old")).visibility).toBe("private");
      expect((await put("bucket/open/old", "public")).visibility).toBe("public");
      await setDefault("bucket/open", null);
      expect((await put("bucket/open/old")).visibility).toBe("private");
    });

    test("keeps a folder that was made for an object", async () => {
      const { catalog } = fixture();
      const objects = createObjects(catalog);
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("bucket"));
      await objects.put("bucket/a/file");
      await setDefault("bucket/a", "public");
      await objects.remove(["bucket/a/file"]);
      expect((await folderAt(catalog, "bucket/a")).defaultVisibility).toBe("public");
    });

    test("every upload sees one default while it changes", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a/b"));
      let isPrivate = false;
      for (let round = 0; round < 20; round += 1) {
        const files = [1, 2, 3].map((n) =>
          uploader.addOne(`${round}-${n}`, { folder: n === 3 ? `a/b/${round}` : "a/b" }),
        );
        const set = setDefault("a", isPrivate ? null : "private");
        await Promise.all([...files, set]);
        isPrivate = !isPrivate;
        const after = await uploader.addOne(`${round}-after`, { folder: `a/b/${round}` });
        expect(after.visibility).toBe(isPrivate ? "private" : "public");
      }
      expect(await Array.fromAsync(catalog.inspect())).toEqual([]);
    });
  });

  describe("defaults of folders and counts", () => {
    test("tell where a default comes from, within the limits of the caller", async () => {
      const { catalog } = fixture();
      const deep = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a/b/c"));
      const a = await folderAt(catalog, "a");
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id: a.id, defaultVisibility: "private" });
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id: deep.id, defaultVisibility: "public" });
      const b = await folderAt(catalog, "a/b");
      const idsOf = async (...args: Parameters<Catalog["folderDefaults"]>) => {
        const { origin, subfolders } = await catalog.folderDefaults(...args);
        return [origin?.id, subfolders.map(({ id }) => id)];
      };
      expect(await idsOf(COMMAND_EVERYWHERE, b)).toEqual([a.id, [deep.id]]);
      expect(await idsOf(limitedTo([b.id]), b)).toEqual([undefined, [deep.id]]);
      expect(await idsOf(COMMAND_EVERYWHERE, await folderAt(catalog, "a/b/c"))).toEqual([
        deep.id,
        [],
      ]);
      expect(await idsOf(COMMAND_EVERYWHERE, await folderAt(catalog, ""))).toEqual([
        undefined,
        [a.id],
      ]);
    });

    test("count files and folders with a default at any depth, without the trash", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      await uploader.add(["1", "2"], { folder: "a" });
      await uploader.add(["1", "2", "3"], { folder: "a/b", visibility: "private" });
      await uploader.add(["1"], { folder: "a%b" });
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a/gone"));
      for (const path of ["a/b", "a/gone", "a%b"]) {
        const { id } = await folderAt(catalog, path);
        await catalog.changeFolder(COMMAND_EVERYWHERE, { id, defaultVisibility: "private" });
      }
      await catalog.trashFolder(COMMAND_EVERYWHERE, {
        id: (await folderAt(catalog, "a/gone")).id,
        keepMs: 1000,
      });
      expect(await catalog.countVisibility(COMMAND_EVERYWHERE, parseKey("a"))).toEqual({
        files: { public: 2, private: 3 },
        folders: { public: 0, private: 1 },
      });
      expect(await catalog.countVisibility(COMMAND_EVERYWHERE, ROOT_KEY)).toEqual({
        files: { public: 3, private: 3 },
        folders: { public: 0, private: 2 },
      });
      const { id } = await folderAt(catalog, "a/b");
      expect(await catalog.countVisibility(limitedTo([id]), parseKey("a"))).toEqual({
        files: { public: 0, private: 3 },
        folders: { public: 0, private: 1 },
      });
    });
  });
}
