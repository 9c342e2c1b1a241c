import { describe, expect, test } from "bun:test";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import type { CatalogFixture } from "./catalog.fixture.ts";
import {
  allKeys,
  createUploader,
  expectFault,
  folderAt,
  listAll,
  tick,
} from "./catalog.fixture.ts";

export function foldersSuite(fixture: () => CatalogFixture): void {
  describe("the root", () => {
    test("always exists, with the same id", async () => {
      const root = await folderAt(fixture().catalog, "");
      expect(root).toMatchObject({ name: "", key: "", parentId: null });
      expect(await fixture().catalog.folderById(COMMAND_EVERYWHERE, root.id)).toEqual(root);
      const again = await fixture().reopen();
      expect(await folderAt(again, "")).toEqual(root);
    });

    test("cannot be created, renamed or removed", async () => {
      const { catalog } = fixture();
      const { id } = await folderAt(catalog, "");
      await expectFault(catalog.createFolder(COMMAND_EVERYWHERE, parseKey("/")), "conflict");
      await expectFault(
        catalog.changeFolder(COMMAND_EVERYWHERE, { id, name: parseName("a") }),
        "invalid",
        "root",
      );
      await expectFault(catalog.removeFolder(COMMAND_EVERYWHERE, id), "invalid", "root");
    });
  });

  describe("creating folders", () => {
    test("creates the missing ancestors", async () => {
      const { catalog } = fixture();
      const made = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a/b.c/d"));
      const parent = await folderAt(catalog, "a/b.c");
      expect(made).toMatchObject({ name: "d", key: "a/b.c/d", parentId: parent.id });
      expect(await catalog.folderById(COMMAND_EVERYWHERE, made.id)).toEqual(made);
      expect(parent).toMatchObject({ name: "b.c", parentId: (await folderAt(catalog, "a")).id });
      expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("a/b"))).toBeUndefined();
      expect(await catalog.folderById(COMMAND_EVERYWHERE, "nobody")).toBeUndefined();
    });

    test("conflicts with existing files and folders", async () => {
      const { catalog } = fixture();
      await createUploader(catalog).addOne("file", { folder: "a" });
      await expectFault(
        catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a")),
        "conflict",
        'A folder named "a" already exists in this folder.',
      );
      for (const path of ["a/file", "a/file/b/c"]) {
        await expectFault(
          catalog.createFolder(COMMAND_EVERYWHERE, parseKey(path)),
          "conflict",
          'A file named "file" already exists in this folder.',
        );
      }
      expect(
        await Array.fromAsync(
          catalog.listFolders(COMMAND_EVERYWHERE, (await folderAt(catalog, "a")).id),
        ),
      ).toEqual([]);
    });

    test("allows 128 levels", async () => {
      const { catalog } = fixture();
      const path = Array.from({ length: 128 }, (_, index) => `${index}`).join("/");
      expect((await catalog.createFolder(COMMAND_EVERYWHERE, parseKey(path))).name).toBe(
        parseName("127"),
      );
      await createUploader(catalog).addOne("x", { folder: path.slice(0, path.lastIndexOf("/")) });
    });
  });

  // Neighbours of `a` that a naive prefix or pattern would match.
  const neighbours = ["ab", "a_b", "a%", "a b", "a-b", "a.b", "a0", "A", "aé", "á", "_", "%", "a!"];

  describe("renaming a folder", () => {
    test("moves everything inside and nothing else", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      for (const folder of ["a", "a/a", "a/b/c", "a/😀é", ...neighbours, "x/a"]) {
        await uploader.addOne("f", { folder });
      }
      const folder = await folderAt(catalog, "a");
      const inside = await folderAt(catalog, "a/b/c");
      const [file] = await listAll(catalog, { folderId: inside.id });
      await tick();
      for (const name of ["z", "😀😀", "a"]) {
        const changed = await catalog.changeFolder(COMMAND_EVERYWHERE, {
          id: folder.id,
          name: parseName(name),
        });
        expect(changed).toMatchObject({
          id: folder.id,
          name,
          key: name,
          parentId: folder.parentId,
        });
        expect(changed.updatedAt).toBeGreaterThan(folder.updatedAt);
        expect(await catalog.folderById(COMMAND_EVERYWHERE, folder.id)).toEqual(changed);
        expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey(`${name}/b/c`))).toEqual({
          ...inside,
          key: parseKey(`${name}/b/c`),
        });
        if (file === undefined) throw new Error("No file.");
        const key = parseKey(`${name}/b/c/f`);
        expect(await catalog.fileByKey(COMMAND_EVERYWHERE, key)).toEqual({ ...file, key });
        const own = ["", "/a", "/b/c", "/😀é"].map((path) => `${name}${path}/f`);
        const others = [...neighbours, "x/a"].map((path) => `${path}/f`);
        expect(await allKeys(catalog)).toEqual([...own, ...others].sort());
      }
    });

    test("rejects the name of a sibling, and accepts its own", async () => {
      const { catalog } = fixture();
      await createUploader(catalog).addOne("file", { folder: "p" });
      const folder = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("p/a"));
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("p/b"));
      const rename = (name: string) =>
        catalog.changeFolder(COMMAND_EVERYWHERE, {
          id: folder.id,
          name: parseName(name),
          visibility: "private",
        });
      await expectFault(rename("b"), "conflict", 'A folder named "b"');
      await expectFault(rename("file"), "conflict", 'A file named "file"');
      const parent = await folderAt(catalog, "p");
      expect(await listAll(catalog, { folderId: parent.id })).toMatchObject([
        { visibility: "public" },
      ]);
      await tick();
      expect(await rename("a")).toEqual(folder);
      await expectFault(
        catalog.changeFolder(COMMAND_EVERYWHERE, { id: "x", name: parseName("y") }),
        "not_found",
      );
    });

    test("is refused when a key inside would be too long, by bytes", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const deep = ["a", ...Array.from({ length: 16 }, () => "d".repeat(250))].join("/");
      const room = 4096 - deep.length;
      // A file's key of 4,096 bytes, so that no name longer than one byte is left for `a`.
      await uploader.addOne("x".repeat(room - 1), { folder: deep });
      const { id } = await folderAt(catalog, "a");
      await expectFault(
        catalog.changeFolder(COMMAND_EVERYWHERE, { id, name: parseName("bb") }),
        "invalid",
        "4096",
      );
      await expectFault(
        catalog.changeFolder(COMMAND_EVERYWHERE, { id, name: parseName("é") }),
        "invalid",
      );
      expect(
        await catalog.changeFolder(COMMAND_EVERYWHERE, { id, name: parseName("b") }),
      ).toMatchObject({ key: "b" });
    });

    test("is refused when a folder's key inside would be too long, by bytes", async () => {
      const { catalog } = fixture();
      const path = ["a", ...Array.from({ length: 16 }, () => "é".repeat(120)), "é".repeat(119)];
      const key = parseKey(path.join("/"));
      expect(Buffer.byteLength(key)).toBe(4096);
      await catalog.createFolder(COMMAND_EVERYWHERE, key);
      const { id } = await folderAt(catalog, "a");
      await expectFault(
        catalog.changeFolder(COMMAND_EVERYWHERE, { id, name: parseName("é") }),
        "invalid",
        "4096",
      );
      expect(
        await catalog.changeFolder(COMMAND_EVERYWHERE, { id, name: parseName("b") }),
      ).toMatchObject({ key: "b" });
    });
  });

  describe("visibility of a folder", () => {
    test("is set on every file inside, and writes only those that differ", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      for (const folder of ["", "a", "a/b", "ab", "a_b", "a%"]) {
        await uploader.addOne("f", { folder });
      }
      const already = await uploader.addOne("g", { folder: "a", visibility: "private" });
      const folder = await folderAt(catalog, "a");
      const before = await listAll(catalog);
      await tick();
      expect(
        await catalog.changeFolder(COMMAND_EVERYWHERE, { id: folder.id, visibility: "private" }),
      ).toEqual(folder);
      const after = await listAll(catalog);
      const changed = after.filter(({ visibility }) => visibility === "private");
      expect(changed.map(({ key }) => `${key}`).sort()).toEqual(["a/b/f", "a/f", "a/g"]);
      expect(await catalog.fileById(COMMAND_EVERYWHERE, already.id)).toEqual(already);
      for (const file of after) {
        const old = before.find(({ id }) => id === file.id);
        if (old === undefined) throw new Error("A file appeared.");
        if (old.visibility === file.visibility) expect(file).toEqual(old);
        else expect(file.updatedAt).toBeGreaterThan(old.updatedAt);
        expect(file.modifiedAt).toBe(old.modifiedAt);
      }
      await catalog.changeFolder(COMMAND_EVERYWHERE, {
        id: (await folderAt(catalog, "")).id,
        visibility: "private",
      });
      expect((await listAll(catalog)).every((file) => file.visibility === "private")).toBe(true);
    });

    test("changes together with the name", async () => {
      const { catalog } = fixture();
      await createUploader(catalog).addOne("f", { folder: "a/b" });
      const { id } = await folderAt(catalog, "a");
      await catalog.changeFolder(COMMAND_EVERYWHERE, {
        id,
        name: parseName("z"),
        visibility: "private",
      });
      expect(await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("z/b/f"))).toMatchObject({
        visibility: "private",
      });
    });
  });

  describe("removing a folder", () => {
    test("removes everything inside, condemns the blobs and keeps the neighbours", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const gone = [
        ...(await uploader.add(["1", "2"], { folder: "a" })),
        ...(await uploader.add(["3"], { folder: "a/b/c" })),
      ];
      for (const folder of neighbours) await uploader.addOne("f", { folder });
      const folder = await folderAt(catalog, "a");
      await catalog.removeFolder(COMMAND_EVERYWHERE, folder.id);
      expect(await allKeys(catalog)).toEqual(neighbours.map((name) => `${name}/f`).sort());
      for (const path of ["a", "a/b", "a/b/c"]) {
        expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey(path))).toBeUndefined();
      }
      while (await catalog.emptyRemovedFolders(2));
      expect((await catalog.condemnedBlobs(10)).sort()).toEqual(
        gone.map(({ blobId }) => blobId).sort(),
      );
      await expectFault(catalog.removeFolder(COMMAND_EVERYWHERE, folder.id), "not_found");
      expect((await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a"))).id).not.toBe(
        folder.id,
      );
    });
  });
}
