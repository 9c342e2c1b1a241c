import { describe, expect, test } from "bun:test";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import type { FileRecord } from "../../domain/records.ts";
import type { CatalogFixture } from "./catalog.fixture.ts";
import {
  allKeys,
  createUploader,
  DAY,
  expectFault,
  folderAt,
  limitedTo,
  listAll,
} from "./catalog.fixture.ts";
import { readContent, startFeedReader } from "./feed-reader.ts";
import { expectCondemned } from "./uploads.fixture.ts";

const keysOf = (files: readonly FileRecord[]): string[] => files.map(({ key }) => key);

export function moveConflictsSuite(fixture: () => CatalogFixture): void {
  /** A file to move, and one that has its name in the target. */
  async function meeting() {
    const { catalog } = fixture();
    const uploader = createUploader(catalog);
    const feed = await startFeedReader(catalog);
    const file = await uploader.addOne("a.txt", { folder: "from", visibility: "private" });
    const taken = await uploader.addOne("a.txt", { folder: "to" });
    return { catalog, uploader, feed, file, taken, folderId: taken.folderId };
  }

  describe("moving onto a taken name", () => {
    test("replace: the file keeps its id, and the replaced one is in the trash", async () => {
      const { catalog, feed, file, taken, folderId } = await meeting();
      const { undoId, ...moved } = await catalog.changeFile(COMMAND_EVERYWHERE, {
        id: file.id,
        folderId,
        onConflict: "replace",
        trashReplacedMs: DAY,
      });
      expect(moved).toEqual({ ...file, folderId, key: taken.key, updatedAt: moved.updatedAt });
      expect(await catalog.fileByKey(COMMAND_EVERYWHERE, taken.key)).toEqual(moved);
      expect(await catalog.fileById(COMMAND_EVERYWHERE, taken.id)).toBeUndefined();
      expect(await feed.read()).toEqual(await readContent(catalog));
      await catalog.changeFile(COMMAND_EVERYWHERE, { id: file.id, folderId: file.folderId });
      await catalog.restoreTrash(COMMAND_EVERYWHERE, { undoId: undoId ?? "" });
      expect(await catalog.fileById(COMMAND_EVERYWHERE, taken.id)).toMatchObject({
        key: taken.key,
      });
      expect(await allKeys(catalog)).toEqual(["from/a.txt", "to/a.txt"]);
    });

    test("replace without a trash: the replaced content is condemned", async () => {
      const { catalog, feed, file, taken, folderId } = await meeting();
      const moved = await catalog.changeFile(COMMAND_EVERYWHERE, {
        id: file.id,
        folderId,
        onConflict: "replace",
      });
      expect(moved).not.toHaveProperty("undoId");
      expect(await allKeys(catalog)).toEqual(["to/a.txt"]);
      await expectCondemned(catalog, [taken.blobId]);
      expect(await feed.read()).toEqual(await readContent(catalog));
    });

    test("keepBoth: the first free number, in a rename too", async () => {
      const { catalog, uploader, feed, file, folderId } = await meeting();
      await uploader.addOne("a (2).txt", { folder: "to" });
      const moved = await catalog.changeFile(COMMAND_EVERYWHERE, {
        id: file.id,
        folderId,
        onConflict: "keepBoth",
      });
      expect(moved).toMatchObject({ key: parseKey("to/a (3).txt"), mimeType: "text/plain" });
      const other = await uploader.addOne("b", { folder: "to" });
      const name = parseName("a.txt");
      const renamed = await catalog.changeFile(COMMAND_EVERYWHERE, {
        id: other.id,
        name,
        onConflict: "keepBoth",
      });
      expect(renamed.name).toBe(parseName("a (4).txt"));
      expect(await feed.read()).toEqual(await readContent(catalog));
    });

    test("skip: changes nothing, not even the visibility", async () => {
      const { catalog, file, folderId } = await meeting();
      const change = { id: file.id, folderId, visibility: "public", onConflict: "skip" } as const;
      expect(await catalog.changeFile(COMMAND_EVERYWHERE, change)).toEqual(file);
      expect(await catalog.fileById(COMMAND_EVERYWHERE, file.id)).toEqual(file);
      const { id, ...several } = change;
      expect(await catalog.changeFiles(COMMAND_EVERYWHERE, { ...several, ids: [id] })).toEqual({
        changed: [file],
        altered: [],
        failed: [],
        missing: [],
      });
    });

    test("a folder is never replaced", async () => {
      const { catalog, uploader, file } = await meeting();
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("other/a.txt"));
      const { id: folderId } = await folderAt(catalog, "other");
      const replace = { folderId, onConflict: "replace", trashReplacedMs: DAY } as const;
      await expectFault(
        catalog.changeFile(COMMAND_EVERYWHERE, { id: file.id, ...replace }),
        "conflict",
        "folder",
      );
      const free = await uploader.addOne("free", { folder: "from" });
      const { changed, failed } = await catalog.changeFiles(COMMAND_EVERYWHERE, {
        ids: [file.id, free.id],
        ...replace,
      });
      expect(keysOf(changed)).toEqual(["other/free"]);
      expect(failed).toMatchObject([{ id: file.id, takenBy: "folder" }]);
    });

    test("several files: of the same name the first one gets it, and no file that stays is replaced", async () => {
      const { catalog, uploader, feed, file, taken, folderId } = await meeting();
      const duplicate = await uploader.addOne("a.txt", { folder: "third" });
      const ids = [file.id, duplicate.id];
      const replace = { folderId, onConflict: "replace", trashReplacedMs: DAY } as const;
      const stays = await catalog.changeFiles(COMMAND_EVERYWHERE, {
        ids: [taken.id, file.id],
        ...replace,
      });
      expect([stays.changed, stays.failed]).toMatchObject([[taken], [{ takenBy: "file" }]]);
      const { changed, failed, undoId } = await catalog.changeFiles(COMMAND_EVERYWHERE, {
        ids,
        ...replace,
      });
      expect(changed.map(({ id, key }) => [id, `${key}`])).toEqual([[file.id, "to/a.txt"]]);
      expect(failed).toMatchObject([{ id: duplicate.id, takenBy: "file" }]);
      const { items } = await catalog.listTrash(COMMAND_EVERYWHERE, {
        limit: 10,
        undoId: undoId ?? "",
      });
      expect(items.map(({ id }) => id)).toEqual([taken.id]);
      expect(await feed.read()).toEqual(await readContent(catalog));
    });

    test("several files keep both under distinct names", async () => {
      const { catalog, uploader, feed, file, taken, folderId } = await meeting();
      // Its name is the first number of the others.
      const numbered = await uploader.addOne("a (2).txt", { folder: "from" });
      const duplicate = await uploader.addOne("a.txt", { folder: "third" });
      const ids = [file.id, duplicate.id, numbered.id];
      const { changed, failed } = await catalog.changeFiles(COMMAND_EVERYWHERE, {
        ids,
        folderId,
        onConflict: "keepBoth",
        visibility: "public",
      });
      expect([keysOf(changed), failed]).toEqual([
        ["to/a (3).txt", "to/a (4).txt", "to/a (2).txt"],
        [],
      ]);
      for (const one of changed)
        expect(await catalog.fileById(COMMAND_EVERYWHERE, one.id)).toEqual(one);
      const inFolder = await listAll(catalog, { folderId });
      expect(inFolder).toHaveLength(4);
      expect(inFolder).toContainEqual(taken);
      expect(await feed.read()).toEqual(await readContent(catalog));
    });

    test("keepBoth: what has the first free number already keeps it", async () => {
      const { catalog, uploader, feed, taken, folderId } = await meeting();
      const numbered = await uploader.addOne("a (2).txt", { folder: "to" });
      const rename = { id: numbered.id, name: taken.name, onConflict: "keepBoth" } as const;
      expect(await catalog.changeFile(COMMAND_EVERYWHERE, rename)).toEqual(numbered);
      const hidden = await catalog.changeFile(COMMAND_EVERYWHERE, {
        ...rename,
        visibility: "private",
      });
      expect(hidden).toMatchObject({ key: numbered.key, visibility: "private" });
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("to/b"));
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("to/b (2)"));
      const folder = await folderAt(catalog, "to/b (2)");
      const move = { id: folder.id, parentId: folderId, name: parseName("b") };
      expect(
        await catalog.changeFolder(COMMAND_EVERYWHERE, { ...move, onConflict: "keepBoth" }),
      ).toEqual(folder);
      expect(await feed.read()).toEqual(await readContent(catalog));
    });

    test("with a limit, a file outside is neither moved nor replaced", async () => {
      const { catalog, file, folderId } = await meeting();
      const caller = limitedTo([file.folderId]);
      const replace = { onConflict: "replace" } as const;
      const out = catalog.changeFile(caller, { id: file.id, folderId, ...replace });
      await expectFault(out, "not_found", "to move to");
      expect(await allKeys(catalog)).toEqual(["from/a.txt", "to/a.txt"]);
    });

    test("folders: keepBoth gives the first free number, skip changes nothing", async () => {
      const { catalog, uploader, feed } = await meeting();
      await uploader.addOne("x", { folder: "one/photos" });
      await uploader.addOne("y", { folder: "two/photos" });
      const [source, target] = [
        await folderAt(catalog, "one/photos"),
        await folderAt(catalog, "two"),
      ];
      const change = { id: source.id, parentId: target.id };
      await expectFault(catalog.changeFolder(COMMAND_EVERYWHERE, change), "conflict", "photos");
      const skip = { ...change, visibility: "private", onConflict: "skip" } as const;
      expect(await catalog.changeFolder(COMMAND_EVERYWHERE, skip)).toEqual(source);
      expect(await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("one/photos/x"))).toMatchObject({
        visibility: "public",
      });
      const moved = await catalog.changeFolder(COMMAND_EVERYWHERE, {
        ...change,
        onConflict: "keepBoth",
      });
      expect(moved).toMatchObject({
        id: source.id,
        name: parseName("photos (2)"),
        key: parseKey("two/photos (2)"),
      });
      expect(await catalog.folderById(COMMAND_EVERYWHERE, source.id)).toEqual(moved);
      expect(
        await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("two/photos (2)/x")),
      ).toBeDefined();
      const free = await catalog.changeFolder(COMMAND_EVERYWHERE, {
        ...change,
        parentId: source.parentId ?? "",
        onConflict: "skip",
      });
      expect(free).toMatchObject({ key: parseKey("one/photos (2)") });
      expect(await feed.read()).toEqual(await readContent(catalog));
    });
  });
}
