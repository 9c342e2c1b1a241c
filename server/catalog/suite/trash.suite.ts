import { describe, expect, test } from "bun:test";
import type { Actor } from "../../rules/activity.ts";
import { blockOf } from "../../rules/blob-id.ts";
import { parseKey, parseName } from "../../rules/name.ts";
import { nameMatch } from "../../rules/name-match.ts";
import type { Catalog } from "../port/catalog.ts";
import type { CatalogFixture } from "./catalog.fixture.ts";
import {
  createUploader,
  expectFault,
  folderAt,
  listAll,
  tick,
  versionsOf,
} from "./catalog.fixture.ts";
import { readFeed } from "./feed.suite.ts";
import { createObjects } from "./objects.fixture.ts";

const DAY = 86_400_000;
const MAKER: Actor = { kind: "key", id: "k1", name: "camera" };

const trashed = async (catalog: Catalog, within?: readonly string[]): Promise<string[]> =>
  (await catalog.listTrash({ limit: 100, within })).items.map(({ key }) => key);

async function emptyAll(catalog: Catalog): Promise<void> {
  while (await catalog.emptyRemovedFolders(1000));
}

export function trashSuite(fixture: () => CatalogFixture): void {
  describe("the trash", () => {
    test("lists what was deleted, latest first, with the actor", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const [a, b] = await uploader.add(["a", "b"], { folder: "x", size: 5 });
      await uploader.add(["c"], { folder: "x/deep", size: 7 });
      const by = catalog.by(MAKER);
      const before = Date.now();
      const files = await by.trashFiles({ ids: [b?.id ?? "", "nobody", a?.id ?? ""], keepMs: DAY });
      expect(files.ids).toEqual([b?.id ?? "", a?.id ?? ""]);
      await tick();
      const x = await folderAt(catalog, "x");
      const { undoId } = await by.trashFolder({ id: x.id, keepMs: DAY });
      const { items, next } = await catalog.listTrash({ limit: 10 });
      expect(next).toBeUndefined();
      expect(items[0]).toMatchObject({
        id: x.id,
        kind: "folder",
        key: x.key,
        undoId,
        files: 1,
        bytes: 7,
      });
      expect(
        items
          .slice(1)
          .map(({ id }) => id)
          .sort(),
      ).toEqual([a?.id ?? "", b?.id ?? ""].sort());
      for (const item of items) {
        expect(item.deletedBy).toEqual(MAKER);
        expect(item.deletedAt).toBeWithin(before, Date.now() + 1);
        expect(item.expiresAt).toBe(item.deletedAt + DAY);
      }
      expect(items[1]).toMatchObject({
        ...{ kind: "file", undoId: files.undoId },
        file: { size: 5, visibility: "public", mimeType: "text/plain" },
      });
      expect(await catalog.trashTotals()).toEqual({ items: 3, files: 3, bytes: 17 });
      const first = await catalog.listTrash({ limit: 2 });
      const rest = await catalog.listTrash({ limit: 2, after: first.next });
      expect([...first.items, ...rest.items]).toEqual([...items]);
      expect(rest.next).toBeUndefined();
      const ofOne = await catalog.listTrash({ limit: 10, undoId });
      expect(ofOne.items).toEqual(items.slice(0, 1));
    });

    test("hides what is in it from every read and change", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const kept = await uploader.addOne("kept", { size: 5 });
      const lone = await uploader.addOne("lone", { folder: "b", size: 7 });
      const inside = await uploader.addOne("f", { folder: "a/b/c", size: 7 });
      const b = await folderAt(catalog, "b");
      const folders = [await folderAt(catalog, "a"), await folderAt(catalog, "a/b/c")];
      const root = await folderAt(catalog, "");
      await catalog.trashFolder({ id: folders[0]?.id ?? "", keepMs: DAY });
      await catalog.trashFiles({ ids: [lone.id], keepMs: DAY });
      for (const { id, key } of [lone, inside]) {
        expect(await catalog.fileById(id)).toBeUndefined();
        expect(await catalog.fileByKey(key)).toBeUndefined();
        expect(await catalog.fileById(id, [root.id])).toBeUndefined();
        await expectFault(catalog.changeFile({ id, name: parseName("g") }), "not_found");
        expect(await catalog.removeFiles([id])).toEqual([]);
        expect((await catalog.trashFiles({ ids: [id], keepMs: DAY })).ids).toEqual([]);
        expect(await versionsOf(catalog, id)).toEqual([]);
      }
      for (const { id, key } of folders) {
        expect(await catalog.folderById(id)).toBeUndefined();
        expect(await catalog.folderByKey(key)).toBeUndefined();
        expect(await catalog.topFolder([id])).toBeUndefined();
        expect(await listAll(catalog, { folderId: id })).toEqual([]);
        expect(await listAll(catalog, { within: [id] })).toEqual([]);
        expect(await Array.fromAsync(catalog.listFolders(id))).toEqual([]);
        await expectFault(catalog.removeFolder(id), "not_found");
        await expectFault(catalog.trashFolder({ id, keepMs: DAY }), "not_found");
        await expectFault(catalog.changeFolder({ id, parentId: root.id }), "not_found");
        await expectFault(catalog.changeFolder({ id: b.id, parentId: id }), "not_found");
      }
      expect(await listAll(catalog)).toEqual([kept]);
      const { types } = await catalog.countFiles("", 100);
      expect(types).toEqual([{ mimeType: kept.mimeType, files: 1, bytes: 5 }]);
      expect((await catalog.countFolders("", 100)).count).toBe(2);
      expect(await catalog.measure(root.key)).toEqual({ files: 1, folders: 1, bytes: 5 });
      for (const text of ["f", "a", "lone", "trash"]) {
        const match = nameMatch(text) ?? expect.unreachable();
        const search = { match, below: root.key, limit: 10 };
        expect((await Array.fromAsync(catalog.findFolders(search))).flat()).toEqual([]);
        expect((await Array.fromAsync(catalog.findFiles(search))).flat()).toEqual([]);
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
      await catalog.trashFiles({ ids: [files[0]?.id ?? ""], keepMs: DAY });
      await catalog.trashFolder({ id: (await folderAt(catalog, "x")).id, keepMs: DAY });
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
      await catalog.changeFolder({ id: root.id, visibility: "private" });
      await catalog.trashFiles({ ids: [lone.id], keepMs: DAY });
      const { id } = await folderAt(catalog, "a");
      await catalog.trashFolder({ id, keepMs: DAY });
      await catalog.changeFolder({ id: root.id, visibility: "public" });
      expect(await catalog.fileById(kept.id)).toMatchObject({ visibility: "public" });
      await catalog.restoreTrash({ ids: [lone.id, id] });
      for (const file of [lone, inside]) {
        expect(await catalog.fileById(file.id)).toMatchObject({ visibility: "private" });
      }
    });

    test("is purged permanently by the item, the deletion and the clock", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const [a, b, c] = await uploader.add(["a", "b", "c"]);
      const inside = await uploader.addOne("d", { folder: "x/y" });
      const x = await folderAt(catalog, "x");
      const one = await catalog.trashFiles({ ids: [a?.id ?? "", b?.id ?? ""], keepMs: DAY });
      await catalog.trashFiles({ ids: [c?.id ?? ""], keepMs: 0 });
      await catalog.trashFolder({ id: x.id, keepMs: 0 });
      expect(await catalog.purgeTrash({ ids: ["nobody", b?.id ?? "", inside.id] })).toEqual([
        b?.id ?? "",
      ]);
      expect(await trashed(catalog)).toHaveLength(3);
      while (await catalog.expireTrash(1));
      expect(await trashed(catalog)).toEqual(["a"]);
      await emptyAll(catalog);
      const expected = [b?.blobId, c?.blobId, inside.blobId];
      expect((await catalog.condemnedBlobs(10)).sort()).toEqual(
        expected.map(Number).sort() as never,
      );
      expect(await catalog.purgeTrash({ undoId: one.undoId ?? "" })).toEqual([a?.id ?? ""]);
      expect(await catalog.purgeTrash({ undoId: one.undoId ?? "" })).toEqual([]);
      expect((await catalog.condemnedBlobs(10)).length).toBe(4);
      expect(await catalog.trashTotals()).toEqual({ items: 0, files: 0, bytes: 0 });
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
      const { undoId } = await catalog.trashFiles({ ids, keepMs: DAY });
      expect(await trashed(catalog)).toHaveLength(30);
      const { restored } = await catalog.restoreTrash({ undoId: undoId ?? "" });
      expect(restored.map(({ key }) => `${key}`).sort()).toEqual(
        files.map(({ key }) => `${key}`).sort(),
      );
      // The hidden folders are gone.
      expect(await catalog.countFolders("", 100)).toEqual({ count: 41, last: null });
    });

    test("takes objects deleted through the S3 API, and their emptied folders vanish", async () => {
      const { catalog } = fixture();
      await catalog.createFolder(parseKey("bucket"));
      const objects = createObjects(catalog);
      const object = await objects.put("bucket/a/b/object");
      const key = parseKey("bucket/a/b/object");
      await catalog.removeObjects({ objects: [{ key, isFolder: false }], keepMs: DAY });
      expect(await catalog.folderByKey(parseKey("bucket/a"))).toBeUndefined();
      expect(await trashed(catalog)).toEqual(["bucket/a/b/object"]);
      expect(await catalog.condemnedBlobs(10)).toEqual([]);
      const { restored } = await catalog.restoreTrash({ ids: [object.id] });
      expect(restored).toEqual([{ id: object.id, kind: "file", key, renamed: false }]);
      expect(await catalog.fileById(object.id)).toMatchObject({ s3: object.s3, key });
      // They are as implicit as before.
      await catalog.removeObjects({ objects: [{ key, isFolder: false }], keepMs: DAY });
      expect(await catalog.folderByKey(parseKey("bucket/a"))).toBeUndefined();
      await catalog.removeBucket({ key: parseKey("bucket") });
    });

    test("counts folders with very many files later", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      for (let n = 0; n < 11; n += 1) {
        const names = Array.from({ length: 1000 }, (_, index) => `${index}`);
        await uploader.add(names, { folder: `big/${n}`, size: 2 });
      }
      const { id } = await folderAt(catalog, "big");
      await catalog.trashFolder({ id, keepMs: DAY });
      const counts = async () => (await catalog.listTrash({ limit: 1 })).items[0];
      expect(await counts()).toMatchObject({ files: null, bytes: null });
      expect(await catalog.trashTotals()).toEqual({ items: 1, files: 11_000, bytes: 22_000 });
      expect(await catalog.countTrash()).toBe(true);
      expect(await counts()).toMatchObject({ files: 11_000, bytes: 22_000 });
      expect(await catalog.countTrash()).toBe(false);
    });

    test("is not counted by the offsets of lists", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const ids: string[] = [];
      for (let n = 0; n < 10; n += 1) {
        const names = Array.from({ length: 500 }, (_, index) => `${(index * 7 + n) % 500}-${n}`);
        const files = await uploader.add(names, { folder: `f/${n}`, size: 1 + (n % 3) });
        ids.push(...files.map(({ id }) => id));
      }
      // In a row and scattered, in few and in many hidden folders.
      await catalog.trashFiles({ ids: ids.slice(100, 900), keepMs: DAY });
      const scattered = ids.filter((_, index) => index > 1000 && index % 3 === 0);
      await catalog.trashFiles({ ids: scattered, keepMs: DAY });
      for (const id of ids.slice(901, 921)) await catalog.trashFiles({ ids: [id], keepMs: DAY });
      const { id: trashedId } = await folderAt(catalog, "f/4");
      await catalog.trashFolder({ id: trashedId, keepMs: DAY });
      for (const orderBy of ["createdAt", "name", "size"] as const) {
        for (const direction of ["ASC", "DESC"] as const) {
          const list = async (offset: number, limit: number | null) => {
            const page = { orderBy, direction, offset, limit };
            const found: string[] = [];
            for await (const batch of catalog.listFiles({}, page)) {
              found.push(...batch.map(({ id }) => id));
            }
            return found;
          };
          const all = await list(0, null);
          expect(all.length).toBeGreaterThan(2000);
          for (const offset of [1, 999, 1500, 2000, all.length - 1, all.length, 9999]) {
            expect(await list(offset, 3)).toEqual(all.slice(offset, offset + 3));
          }
        }
      }
    });

    test("shows a limited caller what belongs to its folder", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const own = await uploader.addOne("own", { folder: "mine/sub" });
      const other = await uploader.addOne("other", { folder: "yours" });
      const mine = await folderAt(catalog, "mine");
      const sub = await folderAt(catalog, "mine/sub");
      const within = [mine.id];
      const refused = await catalog.trashFiles({ ids: [other.id], keepMs: DAY, within });
      expect(refused).toEqual({ undoId: undefined, ids: [] });
      await expectFault(catalog.trashFolder({ id: mine.id, keepMs: DAY, within }), "forbidden");
      await catalog.trashFiles({ ids: [own.id, other.id], keepMs: DAY });
      await catalog.trashFolder({ id: sub.id, keepMs: DAY });
      expect((await trashed(catalog, within)).sort()).toEqual(["mine/sub", "mine/sub/own"]);
      expect(await catalog.trashTotals(within)).toEqual({ items: 2, files: 1, bytes: 1 });
      expect(await trashed(catalog, [sub.id])).toEqual([]);
      expect(await catalog.purgeTrash({ ids: [other.id] }, within)).toEqual([]);
      const { restored, failed } = await catalog.restoreTrash({ ids: [other.id, own.id] }, within);
      expect(restored).toMatchObject([{ id: own.id, key: parseKey("mine/sub/own") }]);
      expect(failed).toMatchObject([{ id: other.id }]);
      // The folder of the caller itself was deleted: everything in it belongs to the root now.
      await catalog.trashFolder({ id: mine.id, keepMs: DAY });
      expect(await trashed(catalog, within)).toEqual([]);
    });

    test("shows where things go now, and no names from outside a limit", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const file = await uploader.addOne("x", { folder: "secret/m/n" });
      const inside = await uploader.addOne("y", { folder: "secret/m" });
      const mine = await catalog.createFolder(parseKey("mine"));
      const [m, n] = [await folderAt(catalog, "secret/m"), await folderAt(catalog, "secret/m/n")];
      await catalog.trashFiles({ ids: [file.id, inside.id], keepMs: DAY });
      await catalog.trashFolder({ id: n.id, keepMs: DAY });
      await catalog.changeFolder({ id: m.id, parentId: mine.id, name: parseName("moved") });
      const keys = ["mine/moved/n", "mine/moved/n/x", "mine/moved/y"];
      expect((await trashed(catalog, [mine.id])).sort()).toEqual(keys);
      expect((await trashed(catalog)).sort()).toEqual(keys);
      const { items } = await catalog.listTrash({ limit: 1, within: [mine.id] });
      expect(items).toMatchObject([{ id: n.id, name: "n" }]);
      const ids = [n.id, file.id, inside.id];
      const { restored } = await catalog.restoreTrash({ ids }, [mine.id]);
      expect(restored.map(({ key }) => `${key}`)).toEqual(keys);
    });

    test("is in the feed as deletions and restores", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const file = await uploader.addOne("a", { folder: "x/y" });
      const lone = await uploader.addOne("b");
      const x = await folderAt(catalog, "x");
      const { id, key, parentId, createdAt } = x;
      const start = await catalog.feedEnd();
      const by = catalog.by(MAKER);
      await by.trashFolder({ id: x.id, keepMs: DAY });
      await by.trashFiles({ ids: [lone.id], keepMs: DAY });
      await catalog.createFolder(x.key);
      await by.restoreTrash({ ids: [lone.id, x.id] });
      await catalog.trashFiles({ ids: [file.id], keepMs: 0 });
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
      await catalog.trashFiles({ ids: [a?.id ?? "", b?.id ?? ""], keepMs: DAY });
      await catalog.trashFolder({ id: (await folderAt(catalog, "x")).id, keepMs: DAY });
      const lost = [a, inside].flatMap((file) => file ?? []);
      const dropped = await catalog.dropRecords(
        lost.map(({ id, blobId }) => ({ fileId: id, blobId })),
      );
      expect(dropped.sort()).toEqual(lost.map(({ blobId }) => blobId).sort());
      expect((await trashed(catalog)).sort()).toEqual(["b", "x"]);
      expect(await catalog.trashTotals()).toEqual({ items: 2, files: 1, bytes: 1 });
      expect(await catalog.condemnedBlobs(10)).toEqual([]);
      expect(await Array.fromAsync(catalog.inspect())).toEqual([]);
    });
  });
}
