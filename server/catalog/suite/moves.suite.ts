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

const range = (length: number): number[] => Array.from({ length }, (_, index) => index);

export function movesSuite(fixture: () => CatalogFixture): void {
  describe("moving a file", () => {
    test("changes only its folder, key and updatedAt", async () => {
      const { catalog } = fixture();
      const file = await createUploader(catalog).addOne("a.txt", { folder: "from" });
      const to = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("to/deep"));
      await tick();
      const moved = await catalog.changeFile(COMMAND_EVERYWHERE, { id: file.id, folderId: to.id });
      expect(moved).toEqual({
        ...file,
        folderId: to.id,
        key: parseKey("to/deep/a.txt"),
        updatedAt: moved.updatedAt,
      });
      expect(moved.updatedAt).toBeGreaterThan(file.updatedAt);
      expect(await catalog.fileById(COMMAND_EVERYWHERE, file.id)).toEqual(moved);
      expect(await catalog.fileByKey(COMMAND_EVERYWHERE, moved.key)).toEqual(moved);
      expect(await catalog.fileByKey(COMMAND_EVERYWHERE, file.key)).toBeUndefined();
      expect(await listAll(catalog, { folderId: to.id })).toEqual([moved]);
      expect(await listAll(catalog, { folderId: file.folderId })).toEqual([]);
    });

    test("moves, renames and sets the visibility together or not at all", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const file = await uploader.addOne("a.txt", { folder: "from" });
      await uploader.addOne("taken", { folder: "to" });
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("to/folder"));
      const to = await folderAt(catalog, "to");
      const move = (name: string) =>
        catalog.changeFile(COMMAND_EVERYWHERE, {
          id: file.id,
          folderId: to.id,
          name: parseName(name),
          visibility: "private",
        });
      await expectFault(move("taken"), "conflict", 'A file named "taken"');
      await expectFault(move("folder"), "conflict", 'A folder named "folder"');
      expect(await catalog.fileById(COMMAND_EVERYWHERE, file.id)).toEqual(file);
      expect(await move("b.png")).toMatchObject({
        key: parseKey("to/b.png"),
        mimeType: "image/png",
        visibility: "private",
        modifiedAt: file.modifiedAt,
      });
    });

    test("conflicts with a file or folder in the target", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const file = await uploader.addOne("a", { folder: "from" });
      await uploader.addOne("a", { folder: "files" });
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("folders/a"));
      for (const [folder, holder] of [
        ["files", "file"],
        ["folders", "folder"],
      ] as const) {
        const { id: folderId } = await folderAt(catalog, folder);
        const move = catalog.changeFile(COMMAND_EVERYWHERE, { id: file.id, folderId });
        await expectFault(move, "conflict", `A ${holder} named "a" already exists`);
      }
      expect(await catalog.fileById(COMMAND_EVERYWHERE, file.id)).toEqual(file);
    });

    test("to its own folder changes only the other properties", async () => {
      const { catalog } = fixture();
      const file = await createUploader(catalog).addOne("a", { folder: "from" });
      await tick();
      const { id, folderId } = file;
      expect(await catalog.changeFile(COMMAND_EVERYWHERE, { id, folderId })).toEqual(file);
      const hidden = await catalog.changeFile(COMMAND_EVERYWHERE, {
        id,
        folderId,
        visibility: "private",
      });
      expect(hidden).toMatchObject({ key: file.key, visibility: "private" });
    });

    test("faults: unknown file, unknown folder, key too long", async () => {
      const { catalog } = fixture();
      const file = await createUploader(catalog).addOne("x".repeat(200));
      const { folderId } = file;
      await expectFault(
        catalog.changeFile(COMMAND_EVERYWHERE, { id: "nobody", folderId }),
        "not_found",
        "file",
      );
      await expectFault(
        catalog.changeFile(COMMAND_EVERYWHERE, { id: file.id, folderId: "nobody" }),
        "not_found",
        "No such folder to move to.",
      );
      const long = Array.from({ length: 16 }, () => "d".repeat(250)).join("/");
      const deep = Array.from({ length: 128 }, () => "d").join("/");
      for (const path of [long, deep]) {
        const to = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey(path));
        await expectFault(
          catalog.changeFile(COMMAND_EVERYWHERE, { id: file.id, folderId: to.id }),
          "invalid",
          "4096",
        );
      }
      expect(await catalog.fileById(COMMAND_EVERYWHERE, file.id)).toEqual(file);
    });
  });

  describe("moving a folder", () => {
    test("moves everything inside and nothing else", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      for (const folder of ["p/a", "p/a/b/c", "p/a/😀é", "p/ab", "p/a0", "a", "q/😀"]) {
        await uploader.addOne("f", { folder });
      }
      const folder = await folderAt(catalog, "p/a");
      const inside = await folderAt(catalog, "p/a/b/c");
      const [file] = await listAll(catalog, { folderId: inside.id });
      if (file === undefined) throw new Error("No file.");
      await tick();
      const { id: parentId } = await folderAt(catalog, "q/😀");
      const moved = await catalog.changeFolder(COMMAND_EVERYWHERE, { id: folder.id, parentId });
      expect(moved).toEqual({
        ...folder,
        parentId,
        key: parseKey("q/😀/a"),
        updatedAt: moved.updatedAt,
      });
      expect(moved.updatedAt).toBeGreaterThan(folder.updatedAt);
      expect(await catalog.folderById(COMMAND_EVERYWHERE, folder.id)).toEqual(moved);
      const key = parseKey("q/😀/a/b/c");
      expect(await catalog.folderByKey(COMMAND_EVERYWHERE, key)).toEqual({ ...inside, key });
      expect(await catalog.fileById(COMMAND_EVERYWHERE, file.id)).toEqual({
        ...file,
        key: parseKey(`${key}/f`),
      });
      expect(await allKeys(catalog)).toEqual(
        ["a/f", "p/a0/f", "p/ab/f", "q/😀/f"]
          .concat(["q/😀/a/f", "q/😀/a/b/c/f", "q/😀/a/😀é/f"])
          .sort(),
      );
      expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("p/a"))).toBeUndefined();
      const children = (
        await Array.fromAsync(catalog.listFolders(COMMAND_EVERYWHERE, parentId))
      ).flat();
      expect(children).toEqual([moved]);
    });

    test("moves up, to the root, and together with a name and a visibility", async () => {
      const { catalog } = fixture();
      await createUploader(catalog).addOne("f", { folder: "a/b/c" });
      const { id } = await folderAt(catalog, "a/b/c");
      const root = await folderAt(catalog, "");
      const up = await catalog.changeFolder(COMMAND_EVERYWHERE, {
        id,
        parentId: (await folderAt(catalog, "a")).id,
      });
      expect(up.key).toBe(parseKey("a/c"));
      await catalog.changeFolder(COMMAND_EVERYWHERE, {
        id,
        parentId: root.id,
        name: parseName("z"),
        visibility: "private",
      });
      expect(await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("z/f"))).toMatchObject({
        visibility: "private",
      });
    });

    test("conflicts with a file or folder in the target, and changes nothing", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const file = await uploader.addOne("f", { folder: "from/a" });
      await uploader.addOne("a", { folder: "files" });
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("folders/a"));
      const { id } = await folderAt(catalog, "from/a");
      for (const [folder, holder] of [
        ["files", "file"],
        ["folders", "folder"],
      ] as const) {
        const { id: parentId } = await folderAt(catalog, folder);
        const move = catalog.changeFolder(COMMAND_EVERYWHERE, {
          id,
          parentId,
          visibility: "private",
        });
        await expectFault(move, "conflict", `A ${holder} named "a" already exists`);
      }
      expect(await catalog.fileById(COMMAND_EVERYWHERE, file.id)).toEqual(file);
    });

    test("to its own folder changes only the other properties", async () => {
      const { catalog } = fixture();
      await createUploader(catalog).addOne("f", { folder: "p/a" });
      const folder = await folderAt(catalog, "p/a");
      const parentId = (await folderAt(catalog, "p")).id;
      await tick();
      const again = { id: folder.id, parentId, visibility: "private" } as const;
      expect(await catalog.changeFolder(COMMAND_EVERYWHERE, again)).toEqual(folder);
      expect(await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("p/a/f"))).toMatchObject({
        visibility: "private",
      });
    });

    test("is refused into itself, below itself, and for the root", async () => {
      const { catalog } = fixture();
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a/b/c"));
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("ab"));
      const root = await folderAt(catalog, "");
      const { id } = await folderAt(catalog, "a");
      for (const path of ["a", "a/b", "a/b/c"]) {
        const { id: parentId } = await folderAt(catalog, path);
        const moves = [{ parentId }, { parentId, name: parseName("other") }];
        for (const move of moves) {
          await expectFault(
            catalog.changeFolder(COMMAND_EVERYWHERE, { id, ...move }),
            "invalid",
            "into itself",
          );
        }
      }
      await expectFault(
        catalog.changeFolder(COMMAND_EVERYWHERE, { id: root.id, parentId: id }),
        "invalid",
        "root",
      );
      const toNeighbour = { id, parentId: (await folderAt(catalog, "ab")).id };
      expect((await catalog.changeFolder(COMMAND_EVERYWHERE, toNeighbour)).key).toBe(
        parseKey("ab/a"),
      );
    });

    test("faults: unknown folder, unknown target", async () => {
      const { catalog } = fixture();
      const { id, parentId } = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a"));
      if (parentId === null) throw new Error("No parent.");
      await expectFault(
        catalog.changeFolder(COMMAND_EVERYWHERE, { id: "nobody", parentId }),
        "not_found",
      );
      await expectFault(
        catalog.changeFolder(COMMAND_EVERYWHERE, { id, parentId: "nobody" }),
        "not_found",
        "No such folder to move to.",
      );
    });

    test("is refused when a key inside would be too long, by bytes", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const deep = ["é".repeat(80), ...Array.from({ length: 15 }, () => "d".repeat(250))];
      const room = 4096 - Buffer.byteLength(deep.join("/")) - "/".length;
      const file = await uploader.addOne("x".repeat(room - Buffer.byteLength("é/")), {
        folder: deep.join("/"),
      });
      const { id } = await folderAt(catalog, deep[0] ?? "");
      const { id: tooLong } = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("é1"));
      const { id: fitting } = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("é"));
      await expectFault(
        catalog.changeFolder(COMMAND_EVERYWHERE, { id, parentId: tooLong }),
        "invalid",
        "4096",
      );
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id, parentId: fitting });
      const moved = await catalog.fileById(COMMAND_EVERYWHERE, file.id);
      expect(Buffer.byteLength(moved?.key ?? "")).toBe(4096);
    });

    test("is refused when a key inside would be too deep", async () => {
      const { catalog } = fixture();
      const path = (length: number) => range(length).join("/");
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey(`folders/${path(126)}`));
      await createUploader(catalog).addOne("f", { folder: `files/${path(125)}` });
      const { id: one } = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("one"));
      const { id: two } = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("one/two"));
      for (const name of ["folders", "files"]) {
        const { id } = await folderAt(catalog, name);
        await expectFault(
          catalog.changeFolder(COMMAND_EVERYWHERE, { id, parentId: two }),
          "invalid",
          "128",
        );
        expect((await catalog.changeFolder(COMMAND_EVERYWHERE, { id, parentId: one })).key).toBe(
          parseKey(`one/${name}`),
        );
      }
      expect((await folderAt(catalog, `one/folders/${path(126)}`)).name).toBe(parseName("125"));
    });
  });

  describe("concurrent moves", () => {
    test("into each other: one is refused, and no cycle is made", async () => {
      const { catalog } = fixture();
      for (const round of range(20)) {
        const a = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey(`${round}/p/a`));
        const b = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey(`${round}/q/b`));
        const inA = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey(`${round}/p/a/in`));
        const inB = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey(`${round}/q/b/in`));
        const attempts = await Promise.allSettled([
          catalog.changeFolder(COMMAND_EVERYWHERE, { id: a.id, parentId: inB.id }),
          catalog.changeFolder(COMMAND_EVERYWHERE, { id: b.id, parentId: inA.id }),
        ]);
        const refused = attempts.filter((attempt) => attempt.status === "rejected");
        expect(refused).toMatchObject([{ reason: { kind: "invalid" } }]);
        for (const { id } of [a, b, inA, inB]) {
          const folder = await catalog.folderById(COMMAND_EVERYWHERE, id);
          if (folder === undefined) throw new Error("A folder is gone.");
          expect(await catalog.folderByKey(COMMAND_EVERYWHERE, folder.key)).toEqual(folder);
        }
      }
    });

    test("of many files to one name: exactly one gets it", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const files = await Promise.all(
        range(20).map((index) => uploader.addOne("same", { folder: `from/${index}` })),
      );
      const { id: folderId } = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("to"));
      const attempts = await Promise.allSettled([
        ...files.map(({ id }) => catalog.changeFile(COMMAND_EVERYWHERE, { id, folderId })),
        uploader.addOne("same", { folder: "to" }),
        catalog.createFolder(COMMAND_EVERYWHERE, parseKey("to/same")),
      ]);
      expect(attempts.filter(({ status }) => status === "fulfilled").length).toBe(1);
      for (const attempt of attempts) {
        if (attempt.status === "rejected")
          expect(attempt.reason).toMatchObject({ kind: "conflict" });
      }
    });
  });
}
