import { describe, expect, test } from "bun:test";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { MAX_NAME_BYTES, parseKey, parseName } from "../../domain/names/name.ts";
import type { FileRecord } from "../../domain/records.ts";
import { NOT_IN_TRASH } from "../../domain/trash.ts";
import type { Catalog } from "../port/catalog.ts";
import type { CatalogFixture } from "./catalog.fixture.ts";
import { allKeys, createUploader, DAY, folderAt, tick } from "./catalog.fixture.ts";

const trashFolder = async (catalog: Catalog, path: string): Promise<string> => {
  const { id } = await folderAt(catalog, path);
  await catalog.trashFolder(COMMAND_EVERYWHERE, { id, keepMs: DAY });
  return id;
};

const trashFile = async (catalog: Catalog, { id }: FileRecord): Promise<void> => {
  await catalog.trashFiles(COMMAND_EVERYWHERE, { ids: [id], keepMs: DAY });
};

export function trashRestoreSuite(fixture: () => CatalogFixture): void {
  describe("restoring", () => {
    test("gives a file back as it was, but for updatedAt", async () => {
      const { catalog } = fixture();
      const file = await createUploader(catalog).addOne("a", {
        folder: "x",
        visibility: "private",
      });
      await tick();
      await trashFile(catalog, file);
      expect((await catalog.restoreTrash(COMMAND_EVERYWHERE, { ids: [file.id] })).restored).toEqual(
        [{ id: file.id, kind: "file", key: file.key, renamed: false }],
      );
      const restored = await catalog.fileById(COMMAND_EVERYWHERE, file.id);
      expect(restored).toEqual({ ...file, updatedAt: restored?.updatedAt ?? 0 });
      expect(restored?.updatedAt).toBeGreaterThan(file.updatedAt);
      expect((await catalog.listTrash(COMMAND_EVERYWHERE, { limit: 1 })).items).toEqual([]);
    });

    test("gives a folder back with everything inside", async () => {
      const { catalog } = fixture();
      const file = await createUploader(catalog).addOne("a", { folder: "x/y/z" });
      const [x, z] = [await folderAt(catalog, "x"), await folderAt(catalog, "x/y/z")];
      await trashFolder(catalog, "x");
      const { restored } = await catalog.restoreTrash(COMMAND_EVERYWHERE, { ids: [x.id] });
      expect(restored).toEqual([{ id: x.id, kind: "folder", key: x.key, renamed: false }]);
      expect(await catalog.fileByKey(COMMAND_EVERYWHERE, file.key)).toEqual(file);
      expect(await catalog.folderById(COMMAND_EVERYWHERE, z.id)).toEqual(z);
      expect(await catalog.folderById(COMMAND_EVERYWHERE, x.id)).toMatchObject({
        createdAt: x.createdAt,
      });
      expect(await Array.fromAsync(catalog.inspect())).toEqual([]);
    });

    test("finds the folder wherever it is now", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const file = await uploader.addOne("f", { folder: "a/b" });
      const deep = await uploader.addOne("g", { folder: "a/b/c" });
      const b = await folderAt(catalog, "a/b");
      await trashFile(catalog, file);
      const c = await trashFolder(catalog, "a/b/c");
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("elsewhere"));
      const parentId = (await folderAt(catalog, "elsewhere")).id;
      await catalog.changeFolder(COMMAND_EVERYWHERE, {
        id: b.id,
        name: parseName("moved"),
        parentId,
      });
      const { restored } = await catalog.restoreTrash(COMMAND_EVERYWHERE, { ids: [c, file.id] });
      expect(restored.map(({ key }) => `${key}`)).toEqual([
        "elsewhere/moved/c",
        "elsewhere/moved/f",
      ]);
      expect((await catalog.fileById(COMMAND_EVERYWHERE, deep.id))?.key).toBe(
        parseKey("elsewhere/moved/c/g"),
      );
    });

    test("makes missing folders, below the deepest that is there", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const files = [
        await uploader.addOne("f", { folder: "a/b/c" }),
        await uploader.addOne("g", { folder: "a/b/c" }),
      ];
      const { id } = await folderAt(catalog, "a/b");
      await catalog.trashFiles(COMMAND_EVERYWHERE, {
        ids: files.map((file) => file.id),
        keepMs: DAY,
      });
      await catalog.removeFolder(COMMAND_EVERYWHERE, id);
      const { restored } = await catalog.restoreTrash(COMMAND_EVERYWHERE, {
        ids: files.map((file) => file.id),
      });
      expect(restored.map(({ key }) => `${key}`)).toEqual(["a/b/c/f", "a/b/c/g"]);
      expect((await folderAt(catalog, "a/b")).id).not.toBe(id);
      expect(await Array.fromAsync(catalog.inspect())).toEqual([]);
    });

    test("restores a folder before what was in it", async () => {
      const { catalog } = fixture();
      const file = await createUploader(catalog).addOne("f", { folder: "a/b" });
      await trashFile(catalog, file);
      const b = await trashFolder(catalog, "a/b");
      const a = await trashFolder(catalog, "a");
      const { restored } = await catalog.restoreTrash(COMMAND_EVERYWHERE, { ids: [file.id, b, a] });
      expect(restored.map(({ id, key }) => [id, `${key}`])).toEqual([
        [file.id, "a/b/f"],
        [b, "a/b"],
        [a, "a"],
      ]);
      expect(await catalog.fileById(COMMAND_EVERYWHERE, file.id)).toMatchObject({ folderId: b });
    });

    test("keeps both if the name is taken", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const first = await uploader.addOne("a.txt");
      await trashFile(catalog, first);
      const second = await uploader.addOne("a.txt");
      await trashFile(catalog, second);
      const inside = await uploader.addOne("f", { folder: "d" });
      const d = await trashFolder(catalog, "d");
      await uploader.addOne("d");
      const { restored } = await catalog.restoreTrash(COMMAND_EVERYWHERE, {
        ids: [first.id, second.id, d],
      });
      const keys = restored.map(({ key, renamed }) => [`${key}`, renamed]).slice(0, 2);
      expect(keys.toSorted()).toEqual([
        ["a (2).txt", true],
        ["a.txt", false],
      ]);
      expect(restored[2]).toMatchObject({ key: "d (2)", renamed: true });
      expect((await catalog.fileById(COMMAND_EVERYWHERE, inside.id))?.key).toBe(
        parseKey("d (2)/f"),
      );
    });

    test("restores a folder before what was in it, whatever they are called", async () => {
      const { catalog } = fixture();
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("m/b"));
      const b = await trashFolder(catalog, "m/b");
      const m = await folderAt(catalog, "m");
      // After the inner one in the alphabet.
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id: m.id, name: parseName("z") });
      await trashFolder(catalog, "z");
      await catalog.restoreTrash(COMMAND_EVERYWHERE, { ids: [b, m.id] });
      expect(await catalog.folderById(COMMAND_EVERYWHERE, b)).toMatchObject({
        key: "z/b",
        parentId: m.id,
      });
      expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("m"))).toBeUndefined();
    });

    test("makes a folder that is gone again under its last name", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const deep = await uploader.addOne("f", { folder: "a/b" });
      await trashFile(catalog, deep);
      const a = await folderAt(catalog, "a");
      const b = await folderAt(catalog, "a/b");
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id: b.id, name: parseName("b2") });
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id: a.id, name: parseName("a2") });
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id: a.id, name: parseName("a3") });
      await catalog.removeFolder(COMMAND_EVERYWHERE, a.id);
      while (await catalog.emptyRemovedFolders(100));
      const { items } = await catalog.listTrash(COMMAND_EVERYWHERE, { limit: 10 });
      expect(items.map(({ key }) => key)).toEqual(["a3/b2/f"]);
      await catalog.restoreTrash(COMMAND_EVERYWHERE, { ids: [deep.id] });
      expect(await allKeys(catalog)).toEqual(["a3/b2/f"]);
    });

    test("puts files of a folder that is gone into the same one, request after request", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const files = [];
      for (const name of ["f", "g", "h"])
        files.push(await uploader.addOne(name, { folder: "a/b" }));
      for (const file of files) await trashFile(catalog, file);
      const { id } = await folderAt(catalog, "a/b");
      await catalog.removeFolder(COMMAND_EVERYWHERE, id);
      await uploader.addOne("b", { folder: "a" });
      const [f, g, h] = files.map((file) => file.id);
      await catalog.restoreTrash(COMMAND_EVERYWHERE, { ids: [f ?? ""] });
      await catalog.restoreTrash(COMMAND_EVERYWHERE, { ids: [g ?? ""] });
      expect(await allKeys(catalog)).toEqual(["a/b", "a/b (2)/f", "a/b (2)/g"]);
      const made = await folderAt(catalog, "a/b (2)");
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id: made.id, name: parseName("c") });
      await catalog.restoreTrash(COMMAND_EVERYWHERE, { ids: [h ?? ""] });
      expect(await allKeys(catalog)).toEqual(["a/b", "a/c/f", "a/c/g", "a/c/h"]);
    });

    test("gives a missing folder a free name if a file has its own", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const file = await uploader.addOne("f", { folder: "a/b" });
      await trashFile(catalog, file);
      await catalog.removeFolder(COMMAND_EVERYWHERE, (await folderAt(catalog, "a/b")).id);
      await uploader.addOne("b", { folder: "a" });
      await catalog.restoreTrash(COMMAND_EVERYWHERE, { ids: [file.id] });
      expect(await allKeys(catalog)).toEqual(["a/b", "a/b (2)/f"]);
    });

    test("fails for what is not in the trash, and for keys that would be too long", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const long = Array.from({ length: 14 }, () => "x".repeat(MAX_NAME_BYTES)).join("/");
      const file = await uploader.addOne("f", { folder: `a/${long}` });
      const lone = await uploader.addOne("y".repeat(MAX_NAME_BYTES), { folder: "a/b" });
      const { id } = await folderAt(catalog, `a/${"x".repeat(MAX_NAME_BYTES)}`);
      await catalog.trashFolder(COMMAND_EVERYWHERE, { id, keepMs: DAY });
      await trashFile(catalog, lone);
      const a = await folderAt(catalog, "a");
      const deep = await catalog.createFolder(
        COMMAND_EVERYWHERE,
        parseKey(Array.from({ length: 15 }, () => "z".repeat(MAX_NAME_BYTES)).join("/")),
      );
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id: a.id, parentId: deep.id });
      const outcome = await catalog.restoreTrash(COMMAND_EVERYWHERE, {
        ids: [id, lone.id, "nobody"],
      });
      expect(outcome.restored).toEqual([]);
      expect(outcome.failed.map((each) => each.id)).toEqual([id, lone.id, "nobody"]);
      expect(outcome.failed[0]?.reason).toContain("4096 bytes");
      expect(outcome.failed[1]?.reason).toContain("4096 bytes");
      expect(outcome.failed[2]?.reason).toBe(NOT_IN_TRASH);
      // In the trash as before.
      const root = await folderAt(catalog, "");
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id: a.id, parentId: root.id });
      expect(
        (await catalog.restoreTrash(COMMAND_EVERYWHERE, { ids: [id, lone.id] })).failed,
      ).toEqual([]);
      expect(await catalog.fileById(COMMAND_EVERYWHERE, file.id)).toEqual(file);
      expect(await Array.fromAsync(catalog.inspect())).toEqual([]);
    });

    test("keeps the whole deletion together by its undoId", async () => {
      const { catalog } = fixture();
      const files = await createUploader(catalog).add(["a", "b", "c"]);
      const ids = files.map(({ id }) => id);
      const { undoId = "" } = await catalog.trashFiles(COMMAND_EVERYWHERE, { ids, keepMs: DAY });
      await catalog.restoreTrash(COMMAND_EVERYWHERE, { ids: ids.slice(0, 1) });
      const { restored } = await catalog.restoreTrash(COMMAND_EVERYWHERE, { undoId });
      expect(restored.map(({ id }) => id).sort()).toEqual(ids.slice(1).sort());
      expect(await catalog.restoreTrash(COMMAND_EVERYWHERE, { undoId })).toEqual({
        restored: [],
        failed: [],
      });
    });

    test("happens once when several ask for it or purge at the same time", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      for (let round = 0; round < 10; round += 1) {
        const file = await uploader.addOne("f", { folder: `r${round}/x` });
        const { id } = await folderAt(catalog, `r${round}`);
        await catalog.trashFolder(COMMAND_EVERYWHERE, { id, keepMs: DAY });
        const [restored, purged, again] = await Promise.all([
          catalog.restoreTrash(COMMAND_EVERYWHERE, { ids: [id] }),
          catalog.purgeTrash(COMMAND_EVERYWHERE, { ids: [id] }),
          catalog.restoreTrash(COMMAND_EVERYWHERE, { ids: [id] }),
        ]);
        const times = restored.restored.length + purged.length + again.restored.length;
        expect(times).toBe(1);
        const isBack = (await catalog.fileById(COMMAND_EVERYWHERE, file.id)) !== undefined;
        expect(isBack).toBe(purged.length === 0);
      }
      while (await catalog.emptyRemovedFolders(1000));
      expect(await Array.fromAsync(catalog.inspect())).toEqual([]);
    });
  });
}
