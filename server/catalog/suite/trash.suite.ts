import { describe, expect, test } from "bun:test";
import type { Actor } from "../../domain/activity.ts";
import { blockOf } from "../../domain/blob-id.ts";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import { nameMatch } from "../../domain/names/name-match.ts";
import type { Catalog } from "../port/catalog.ts";
import type { CatalogFixture } from "./catalog.fixture.ts";
import {
  createUploader,
  DAY,
  expectFault,
  folderAt,
  limitedTo,
  listAll,
  trashedKeys,
  versionsOf,
} from "./catalog.fixture.ts";
import { readFeed } from "./feed.suite.ts";
import { createObjects } from "./objects.fixture.ts";

const MAKER: Actor = { kind: "key", id: "k1", name: "camera" };

async function emptyAll(catalog: Catalog): Promise<void> {
  while (await catalog.emptyRemovedFolders(1000));
}

export function trashSuite(fixture: () => CatalogFixture): void {
  describe("the trash", () => {
    test("hides what is in it from every read and change", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const kept = await uploader.addOne("kept", { size: 5 });
      const lone = await uploader.addOne("lone", { folder: "b", size: 7 });
      const inside = await uploader.addOne("f", { folder: "a/b/c", size: 7 });
      const b = await folderAt(catalog, "b");
      const folders = [await folderAt(catalog, "a"), await folderAt(catalog, "a/b/c")];
      const root = await folderAt(catalog, "");
      await catalog.trashFolder(COMMAND_EVERYWHERE, { id: folders[0]?.id ?? "", keepMs: DAY });
      await catalog.trashFiles(COMMAND_EVERYWHERE, { ids: [lone.id], keepMs: DAY });
      for (const { id, key } of [lone, inside]) {
        expect(await catalog.fileById(COMMAND_EVERYWHERE, id)).toBeUndefined();
        expect(await catalog.fileByKey(COMMAND_EVERYWHERE, key)).toBeUndefined();
        expect(await catalog.fileById(limitedTo([root.id]), id)).toBeUndefined();
        await expectFault(
          catalog.changeFile(COMMAND_EVERYWHERE, { id, name: parseName("g") }),
          "not_found",
        );
        expect(await catalog.removeFiles(COMMAND_EVERYWHERE, [id])).toEqual([]);
        expect(
          (await catalog.trashFiles(COMMAND_EVERYWHERE, { ids: [id], keepMs: DAY })).files,
        ).toEqual([]);
        expect(await versionsOf(catalog, id)).toEqual([]);
      }
      for (const { id, key } of folders) {
        expect(await catalog.folderById(COMMAND_EVERYWHERE, id)).toBeUndefined();
        expect(await catalog.folderByKey(COMMAND_EVERYWHERE, key)).toBeUndefined();
        expect(await catalog.topFolder(limitedTo([id]))).toBeUndefined();
        expect(await listAll(catalog, { folderId: id })).toEqual([]);
        expect(await listAll(catalog, { caller: limitedTo([id]) })).toEqual([]);
        expect(await Array.fromAsync(catalog.listFolders(COMMAND_EVERYWHERE, id))).toEqual([]);
        await expectFault(catalog.removeFolder(COMMAND_EVERYWHERE, id), "not_found");
        await expectFault(
          catalog.trashFolder(COMMAND_EVERYWHERE, { id, keepMs: DAY }),
          "not_found",
        );
        await expectFault(
          catalog.changeFolder(COMMAND_EVERYWHERE, { id, parentId: root.id }),
          "not_found",
        );
        await expectFault(
          catalog.changeFolder(COMMAND_EVERYWHERE, { id: b.id, parentId: id }),
          "not_found",
        );
      }
      expect(await listAll(catalog)).toEqual([kept]);
      const { types } = await catalog.countFiles("", 100);
      expect(types).toEqual([{ mimeType: kept.mimeType, files: 1, bytes: 5 }]);
      expect((await catalog.countFolders("", 100)).count).toBe(2);
      expect(await catalog.measure(COMMAND_EVERYWHERE, root.key)).toEqual({
        files: 1,
        folders: 1,
        bytes: 5,
      });
      for (const text of ["f", "a", "lone", "trash"]) {
        const match = nameMatch(text) ?? expect.unreachable();
        const search = { match, below: root.key, limit: 10 };
        expect(
          (await Array.fromAsync(catalog.findFolders(COMMAND_EVERYWHERE, search))).flat(),
        ).toEqual([]);
        expect(
          (await Array.fromAsync(catalog.findFiles(COMMAND_EVERYWHERE, search))).flat(),
        ).toEqual([]);
      }
      expect(await Array.fromAsync(catalog.inspect())).toEqual([]);
    });

    test("keeps its blobs as known, in use and stored, and never empties itself", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const files = [
        await uploader.addOne("a", { size: 5 }),
        await uploader.addOne("b", { folder: "x/y", size: 7 }),
      ];
      const blobs = files.map(({ blobId }) => blobId).sort((a, b) => a - b);
      await catalog.trashFiles(COMMAND_EVERYWHERE, { ids: [files[0]?.id ?? ""], keepMs: DAY });
      await catalog.trashFolder(COMMAND_EVERYWHERE, {
        id: (await folderAt(catalog, "x")).id,
        keepMs: DAY,
      });
      await emptyAll(catalog);
      expect(await catalog.expireTrash(100)).toBe(false);
      expect(await catalog.condemnedBlobs(10)).toEqual([]);
      expect((await catalog.blobsInUse(blobs)).sort()).toEqual(blobs.toSorted());
      expect((await catalog.knownBlobs(blockOf(blobs[0] ?? expect.unreachable()))).sort()).toEqual(
        blobs.toSorted(),
      );
      expect((await catalog.blobsAfter(-1, 10)).map(({ blobId }) => blobId)).toEqual(blobs);
      expect(await catalog.blobsAfter(-1, 1)).toHaveLength(1);
      expect(await catalog.storedTotals()).toEqual({ files: 2, bytes: 12 });
      for (const { blobId, key } of files) {
        expect(await catalog.recordOfBlob(blobId)).toMatchObject({ blobId, key });
      }
    });

    test("keeps the visibility of files when the root's changes", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const lone = await uploader.addOne("lone");
      const inside = await uploader.addOne("f", { folder: "a/b" });
      const kept = await uploader.addOne("kept", { folder: "c" });
      const root = await folderAt(catalog, "");
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id: root.id, visibility: "private" });
      await catalog.trashFiles(COMMAND_EVERYWHERE, { ids: [lone.id], keepMs: DAY });
      const { id } = await folderAt(catalog, "a");
      await catalog.trashFolder(COMMAND_EVERYWHERE, { id, keepMs: DAY });
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id: root.id, visibility: "public" });
      expect(await catalog.fileById(COMMAND_EVERYWHERE, kept.id)).toMatchObject({
        visibility: "public",
      });
      await catalog.restoreTrash(COMMAND_EVERYWHERE, { ids: [lone.id, id] });
      for (const file of [lone, inside]) {
        expect(await catalog.fileById(COMMAND_EVERYWHERE, file.id)).toMatchObject({
          visibility: "private",
        });
      }
    });

    test("is purged permanently by the item, the deletion and the clock", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const [a, b, c] = await uploader.add(["a", "b", "c"]);
      const inside = await uploader.addOne("d", { folder: "x/y" });
      const x = await folderAt(catalog, "x");
      const one = await catalog.trashFiles(COMMAND_EVERYWHERE, {
        ids: [a?.id ?? "", b?.id ?? ""],
        keepMs: DAY,
      });
      await catalog.trashFiles(COMMAND_EVERYWHERE, { ids: [c?.id ?? ""], keepMs: 0 });
      await catalog.trashFolder(COMMAND_EVERYWHERE, { id: x.id, keepMs: 0 });
      expect(
        await catalog.purgeTrash(COMMAND_EVERYWHERE, { ids: ["nobody", b?.id ?? "", inside.id] }),
      ).toEqual([b?.id ?? ""]);
      expect(await trashedKeys(catalog)).toHaveLength(3);
      while (await catalog.expireTrash(1));
      expect(await trashedKeys(catalog)).toEqual(["a"]);
      await emptyAll(catalog);
      const expected = [b?.blobId, c?.blobId, inside.blobId];
      expect((await catalog.condemnedBlobs(10)).sort()).toEqual(
        expected.map(Number).sort() as never,
      );
      expect(await catalog.purgeTrash(COMMAND_EVERYWHERE, { undoId: one.undoId ?? "" })).toEqual([
        a?.id ?? "",
      ]);
      expect(await catalog.purgeTrash(COMMAND_EVERYWHERE, { undoId: one.undoId ?? "" })).toEqual(
        [],
      );
      expect((await catalog.condemnedBlobs(10)).length).toBe(4);
      expect(await catalog.trashTotals(COMMAND_EVERYWHERE)).toEqual({
        items: 0,
        files: 0,
        bytes: 0,
      });
      expect(await catalog.storedTotals()).toEqual({ files: 0, bytes: 0 });
      expect(await Array.fromAsync(catalog.inspect())).toEqual([]);
      expect(await catalog.countFolders("", 100)).toEqual({ count: 1, last: null });
    });

    test("holds any number of files of one name in one deletion", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const files = await Promise.all(
        Array.from({ length: 30 }, (_, n) =>
          uploader.addOne("index.html", { folder: `${n % 10}/${n}` }),
        ),
      );
      const ids = files.map(({ id }) => id);
      const { undoId } = await catalog.trashFiles(COMMAND_EVERYWHERE, { ids, keepMs: DAY });
      expect(await trashedKeys(catalog)).toHaveLength(30);
      const { restored } = await catalog.restoreTrash(COMMAND_EVERYWHERE, { undoId: undoId ?? "" });
      expect(restored.map(({ key }) => `${key}`).sort()).toEqual(
        files.map(({ key }) => `${key}`).sort(),
      );
      // The hidden folders are gone.
      expect(await catalog.countFolders("", 100)).toEqual({ count: 41, last: null });
    });

    test("takes objects deleted through the S3 API, and their emptied folders vanish", async () => {
      const { catalog } = fixture();
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("bucket"));
      const objects = createObjects(catalog);
      const object = await objects.put("bucket/a/b/object");
      const key = parseKey("bucket/a/b/object");
      await catalog.removeObjects(COMMAND_EVERYWHERE, {
        objects: [{ key, isFolder: false }],
        keepMs: DAY,
      });
      expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("bucket/a"))).toBeUndefined();
      expect(await trashedKeys(catalog)).toEqual(["bucket/a/b/object"]);
      expect(await catalog.condemnedBlobs(10)).toEqual([]);
      const { restored } = await catalog.restoreTrash(COMMAND_EVERYWHERE, { ids: [object.id] });
      expect(restored).toEqual([{ id: object.id, kind: "file", key, renamed: false }]);
      expect(await catalog.fileById(COMMAND_EVERYWHERE, object.id)).toMatchObject({
        s3: object.s3,
        key,
      });
      // They are as implicit as before.
      await catalog.removeObjects(COMMAND_EVERYWHERE, {
        objects: [{ key, isFolder: false }],
        keepMs: DAY,
      });
      expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("bucket/a"))).toBeUndefined();
      await catalog.removeBucket(COMMAND_EVERYWHERE, parseKey("bucket"));
    });

    test("is in the feed as deletions and restores", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const file = await uploader.addOne("a", { folder: "x/y" });
      const lone = await uploader.addOne("b");
      const x = await folderAt(catalog, "x");
      const { id, key, parentId, createdAt } = x;
      const start = await catalog.feedEnd();
      const by = { ...COMMAND_EVERYWHERE, actor: MAKER };
      await catalog.trashFolder(by, { id: x.id, keepMs: DAY });
      await catalog.trashFiles(by, { ids: [lone.id], keepMs: DAY });
      await catalog.createFolder(COMMAND_EVERYWHERE, x.key);
      await catalog.restoreTrash(by, { ids: [lone.id, x.id] });
      await catalog.trashFiles(COMMAND_EVERYWHERE, { ids: [file.id], keepMs: 0 });
      await catalog.expireTrash(10);
      const entries = await readFeed(catalog, start);
      expect(entries.map(({ change }) => change.kind)).toEqual([
        ...(["folder.deleted", "file.deleted", "folder.created"] as const),
        ...(["folder.restored", "file.restored", "file.deleted"] as const),
      ]);
      expect(entries[3]).toMatchObject({
        actor: MAKER,
        change: { fromKey: key, folder: { id, parentId, createdAt, name: "x (2)", key: "x (2)" } },
      });
      expect(entries[4]).toMatchObject({ change: { file: { id: lone.id, key: "b" } } });
    });

    test("loses records of lost blobs", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const [a, b] = await uploader.add(["a", "b"]);
      const inside = await uploader.addOne("c", { folder: "x", size: 9 });
      await catalog.trashFiles(COMMAND_EVERYWHERE, {
        ids: [a?.id ?? "", b?.id ?? ""],
        keepMs: DAY,
      });
      await catalog.trashFolder(COMMAND_EVERYWHERE, {
        id: (await folderAt(catalog, "x")).id,
        keepMs: DAY,
      });
      const lost = [a, inside].flatMap((file) => file ?? []);
      const dropped = await catalog.dropRecords(
        lost.map(({ id, blobId }) => ({ fileId: id, blobId })),
      );
      expect(dropped.sort()).toEqual(lost.map(({ blobId }) => blobId).sort());
      expect((await trashedKeys(catalog)).sort()).toEqual(["b", "x"]);
      expect(await catalog.trashTotals(COMMAND_EVERYWHERE)).toEqual({
        items: 2,
        files: 1,
        bytes: 1,
      });
      expect(await catalog.condemnedBlobs(10)).toEqual([]);
      expect(await Array.fromAsync(catalog.inspect())).toEqual([]);
    });
  });
}
