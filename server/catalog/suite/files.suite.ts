import { describe, expect, test } from "bun:test";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import type { CatalogFixture } from "./catalog.fixture.ts";
import { allKeys, createUploader, expectFault, folderAt, tick } from "./catalog.fixture.ts";

export function filesSuite(fixture: () => CatalogFixture): void {
  describe("adding files", () => {
    test("returns complete records in the order given, found by id and by key", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const before = Date.now();
      const files = await uploader.add(["b.txt", "a.txt"], {
        folder: "one/two",
        visibility: "private",
        size: 2 ** 40,
      });
      expect(files.map(({ key }) => `${key}`)).toEqual(["one/two/b.txt", "one/two/a.txt"]);
      for (const file of files) {
        expect(file).toMatchObject({
          folderId: (await folderAt(catalog, "one/two")).id,
          mimeType: "text/plain",
          size: 2 ** 40,
          visibility: "private",
          checksum: 0xffffffff,
        });
        expect(file.createdAt).toBeGreaterThanOrEqual(before);
        expect(file.createdAt).toBeLessThanOrEqual(Date.now());
        expect([file.updatedAt, file.modifiedAt]).toEqual([file.createdAt, file.createdAt]);
        expect(await catalog.fileById(COMMAND_EVERYWHERE, file.id)).toEqual(file);
        expect(await catalog.fileByKey(COMMAND_EVERYWHERE, file.key)).toEqual(file);
      }
    });

    test("are found below a folder, wherever it is, and not beside it", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const near = await uploader.addOne("a.txt", { folder: "top" });
      const deep = await uploader.addOne("a.txt", { folder: "top/x/y" });
      await uploader.addOne("a.txt", { folder: "top2" });
      const top = await folderAt(catalog, "top");
      const root = await folderAt(catalog, "");
      const below = async (folderId: string, key: string) =>
        (await catalog.fileBelow(folderId, parseKey(key)))?.id;
      const found = [[near.id, "a.txt"] as const, [deep.id, "x/y/a.txt"] as const];
      for (const [id, key] of found) {
        expect(await below(top.id, key)).toBe(id);
        expect(await below(root.id, `top/${key}`)).toBe(id);
      }
      for (const key of ["2/a.txt", "top/a.txt", "x", "x/a.txt", "x/y/a.txt/b"]) {
        expect([key, await below(top.id, key)]).toEqual([key, undefined]);
      }
      expect(await below("none", "a.txt")).toBeUndefined();
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id: top.id, name: parseName("moved") });
      await uploader.addOne("a.txt", { folder: "top" });
      for (const [id, key] of found) expect(await below(top.id, key)).toBe(id);
      await catalog.trashFolder(COMMAND_EVERYWHERE, { id: top.id, keepMs: 60_000 });
      for (const [, key] of found) expect(await below(top.id, key)).toBeUndefined();
    });

    test("survives a restart", async () => {
      const file = await createUploader(fixture().catalog).addOne("kept.txt", { folder: "a" });
      const catalog = await fixture().reopen();
      expect(await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("a/kept.txt"))).toEqual(file);
    });

    test("creates no folder and no file when any name is taken", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      await uploader.addOne("taken.png", { folder: "a" });
      await expectFault(
        uploader.add(["new.png", "taken.png"], { folder: "a" }),
        "conflict",
        'A file named "taken.png" already exists in this folder.',
      );
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a/dir"));
      await expectFault(
        uploader.add(["new.png", "dir"], { folder: "a" }),
        "conflict",
        'A folder named "dir" already exists in this folder.',
      );
      await expectFault(uploader.add(["x", "y", "x"], { folder: "b/c" }), "conflict", '"x"');
      await expectFault(
        uploader.add(["x"], { folder: "a/taken.png/c" }),
        "conflict",
        'A file named "taken.png"',
      );
      expect(await allKeys(catalog)).toEqual(["a/taken.png"]);
      expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("b"))).toBeUndefined();
    });

    test("accepts the same name in another folder, and names that differ in case", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      await uploader.add(["x.png", "X.png"]);
      await uploader.add(["x.png"], { folder: "x" });
      expect(await allKeys(catalog)).toEqual(["X.png", "x.png", "x/x.png"]);
    });

    test("accepts more files than fit into one statement", async () => {
      const { catalog } = fixture();
      const names = Array.from({ length: 1200 }, (_, index) => `${index}`);
      await createUploader(catalog).add(names, { folder: "many" });
      expect(await allKeys(catalog)).toEqual(names.map((name) => `many/${name}`).sort());
    });

    test("distinguishes names in any script by their bytes", async () => {
      const { catalog } = fixture();
      const names = ["日本語.txt", "😀", "é", "e", "a%b", "a_b", "a'b", 'a"b', "?", "*", "‮"];
      const files = await createUploader(catalog).add(names, { folder: "ünï/日本" });
      for (const file of files)
        expect(await catalog.fileByKey(COMMAND_EVERYWHERE, file.key)).toEqual(file);
      expect(await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("ünï/日本/a-b"))).toBeUndefined();
    });
  });

  describe("adding files whose names are taken", () => {
    test("replaces the content: same id, new modifiedAt, old blob condemned", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const old = await uploader.addOne("a.txt", { folder: "f", visibility: "private", size: 7 });
      const [added, file] = await uploader.add(["b.txt", "a.txt"], {
        folder: "f",
        size: 9,
        onConflict: "replace",
      });
      if (file === undefined || added === undefined) throw new Error("No files.");
      expect(file).toMatchObject({ id: old.id, key: old.key, size: 9, visibility: "private" });
      expect(file.createdAt).toBe(old.createdAt);
      expect(file.modifiedAt).toBeGreaterThan(old.modifiedAt);
      expect(file.updatedAt).toBeGreaterThanOrEqual(old.updatedAt);
      expect(await catalog.fileById(COMMAND_EVERYWHERE, old.id)).toEqual(file);
      expect(added).toMatchObject({ key: "f/b.txt", visibility: "public" });
      expect(await catalog.condemnedBlobs(10)).toEqual([old.blobId]);
      expect(await allKeys(catalog)).toEqual(["f/a.txt", "f/b.txt"]);
    });

    test("replaces with the given visibility", async () => {
      const uploader = createUploader(fixture().catalog);
      await uploader.addOne("a");
      const file = await uploader.addOne("a", {
        onConflict: "replace",
        namedVisibility: "private",
      });
      expect(file.visibility).toBe("private");
    });

    test("replaces nothing when a name is that of a folder", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const old = await uploader.addOne("a", { folder: "f" });
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("f/dir"));
      await expectFault(
        uploader.add(["a", "dir"], { folder: "f", onConflict: "replace" }),
        "conflict",
        'A folder named "dir"',
      );
      expect(await catalog.fileById(COMMAND_EVERYWHERE, old.id)).toEqual(old);
      expect(await catalog.condemnedBlobs(10)).toEqual([]);
    });

    test("keeps both under the first free number, also within the request", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      await uploader.add(["a.txt", "a (2).txt"], { folder: "f" });
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("f/dir.d"));
      const files = await uploader.add(["a.txt", "new", "dir.d", "a (3).txt"], {
        folder: "f",
        onConflict: "keepBoth",
      });
      expect(files.map(({ name }) => `${name}`)).toEqual([
        "a (4).txt",
        "new",
        "dir (2).d",
        "a (3).txt",
      ]);
      expect(await allKeys(catalog)).toHaveLength(6);
    });

    test("keeps more files of one name than are tried with one query", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      for (let count = 0; count < 40; count += 1) {
        await uploader.addOne("x", { onConflict: "keepBoth" });
      }
      expect(await allKeys(catalog)).toContain("x (40)");
      expect(await allKeys(catalog)).toHaveLength(40);
    });

    test("skips existing files and stores the others", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const old = await uploader.addOne("a", { folder: "f" });
      const files = await uploader.add(["a", "b"], { folder: "f", onConflict: "skip" });
      expect(files.map(({ name }) => `${name}`)).toEqual(["b"]);
      expect(await uploader.add(["a"], { folder: "f", onConflict: "skip" })).toEqual([]);
      expect(await catalog.fileById(COMMAND_EVERYWHERE, old.id)).toEqual(old);
    });

    test("rejects duplicate names within the request, whatever onConflict is", async () => {
      const uploader = createUploader(fixture().catalog);
      for (const onConflict of ["replace", "keepBoth", "skip"] as const) {
        await expectFault(uploader.add(["x", "x"], { onConflict }), "conflict", '"x"');
      }
    });
  });

  describe("changing a file", () => {
    test("renames, and the media type follows the extension", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const file = await uploader.addOne("a.txt", { folder: "f" });
      await tick();
      const changed = await catalog.changeFile(COMMAND_EVERYWHERE, {
        id: file.id,
        name: parseName("b.png"),
      });
      expect(changed).toEqual({
        ...file,
        name: parseName("b.png"),
        key: parseKey("f/b.png"),
        mimeType: "image/png",
        updatedAt: changed.updatedAt,
      });
      expect(changed.updatedAt).toBeGreaterThan(file.updatedAt);
      expect(await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("f/b.png"))).toEqual(changed);
      expect(await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("f/a.txt"))).toBeUndefined();
    });

    test("changes name and visibility together or not at all", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const [file] = await uploader.add(["a", "taken"]);
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("folder"));
      if (file === undefined) throw new Error("No file.");
      for (const name of ["taken", "folder"]) {
        await expectFault(
          catalog.changeFile(COMMAND_EVERYWHERE, {
            id: file.id,
            name: parseName(name),
            visibility: "private",
          }),
          "conflict",
          `named "${name}"`,
        );
      }
      expect(await catalog.fileById(COMMAND_EVERYWHERE, file.id)).toEqual(file);
      const changed = await catalog.changeFile(COMMAND_EVERYWHERE, {
        id: file.id,
        name: parseName("b"),
        visibility: "private",
      });
      expect(changed).toMatchObject({ name: "b", visibility: "private" });
    });

    test("accepts its own name, and writes nothing when nothing changes", async () => {
      const { catalog } = fixture();
      const file = await createUploader(catalog).addOne("a", { mimeType: "x/odd" });
      await tick();
      const same = { id: file.id, name: parseName("a"), visibility: "public" } as const;
      expect(await catalog.changeFile(COMMAND_EVERYWHERE, same)).toEqual(file);
      const changed = await catalog.changeFile(COMMAND_EVERYWHERE, {
        ...same,
        visibility: "private",
      });
      expect(changed).toEqual({ ...file, visibility: "private", updatedAt: changed.updatedAt });
      expect(changed.updatedAt).toBeGreaterThan(file.updatedAt);
      expect(await catalog.fileById(COMMAND_EVERYWHERE, file.id)).toEqual(changed);
    });

    test("faults: unknown file, key too long", async () => {
      const { catalog } = fixture();
      await expectFault(
        catalog.changeFile(COMMAND_EVERYWHERE, { id: "nobody", visibility: "public" }),
        "not_found",
      );
      const deep = Array.from({ length: 16 }, () => "d".repeat(250)).join("/");
      const file = await createUploader(catalog).addOne("x", { folder: deep });
      const room = 4096 - deep.length - 1;
      await expectFault(
        catalog.changeFile(COMMAND_EVERYWHERE, {
          id: file.id,
          name: parseName(`${"é".repeat(room / 2)}e`),
        }),
        "invalid",
      );
      const name = parseName("x".repeat(room));
      expect(await catalog.changeFile(COMMAND_EVERYWHERE, { id: file.id, name })).toMatchObject({
        name,
      });
    });
  });

  describe("removing files", () => {
    test("removes the records and condemns the blobs", async () => {
      const { catalog } = fixture();
      const [a, b, c] = await createUploader(catalog).add(["a", "b", "c"]);
      if (a === undefined || b === undefined || c === undefined) throw new Error("No files.");
      expect(await catalog.removeFiles(COMMAND_EVERYWHERE, [c.id, "nobody", a.id, c.id])).toEqual([
        { id: c.id, key: c.key, blobId: c.blobId },
        { id: a.id, key: a.key, blobId: a.blobId },
      ]);
      expect(await catalog.fileById(COMMAND_EVERYWHERE, a.id)).toBeUndefined();
      expect(await allKeys(catalog)).toEqual(["b"]);
      expect(await catalog.removeFiles(COMMAND_EVERYWHERE, [a.id])).toEqual([]);
      expect((await catalog.condemnedBlobs(10)).sort()).toEqual([a.blobId, c.blobId].sort());
    });

    test("frees the name", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const first = await uploader.addOne("a");
      await catalog.removeFiles(COMMAND_EVERYWHERE, [first.id]);
      const second = await uploader.addOne("a");
      expect(second.id).not.toBe(first.id);
      expect(await catalog.removeFiles(COMMAND_EVERYWHERE, [])).toEqual([]);
    });
  });

  describe("taken names", () => {
    test("are those of files and folders; the first in the order given is returned", async () => {
      const { catalog } = fixture();
      await createUploader(catalog).add(["file"], { folder: "a" });
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a/dir"));
      const ask = (folder: string, ...names: string[]) =>
        catalog.takenName(COMMAND_EVERYWHERE, parseKey(folder), names.map(parseName));
      expect(await ask("a", "x", "dir", "file")).toBe(parseName("dir"));
      expect(await ask("a", "file", "dir")).toBe(parseName("file"));
      expect(await ask("a", "x", "fil", "FILE")).toBeUndefined();
      expect(await ask("", "a")).toBe(parseName("a"));
      expect(await ask("nowhere", "file")).toBeUndefined();
      expect(await ask("a")).toBeUndefined();
    });
  });
}
