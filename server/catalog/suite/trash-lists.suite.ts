import { describe, expect, test } from "bun:test";
import type { Actor } from "../../domain/activity.ts";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import type { CatalogFixture } from "./catalog.fixture.ts";
import {
  createUploader,
  DAY,
  expectFault,
  folderAt,
  limitedTo,
  tick,
  trashedKeys,
} from "./catalog.fixture.ts";

const MAKER: Actor = { kind: "key", id: "k1", name: "camera" };

/** Lists of the trash, and their counts. */
export function trashListsSuite(fixture: () => CatalogFixture): void {
  describe("the trash", () => {
    test("lists what was deleted, latest first, with the actor", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const [a, b] = await uploader.add(["a", "b"], { folder: "x", size: 5 });
      await uploader.add(["c"], { folder: "x/deep", size: 7 });
      const by = { ...COMMAND_EVERYWHERE, actor: MAKER };
      const before = Date.now();
      const trashed = await catalog.trashFiles(by, {
        ids: [b?.id ?? "", "nobody", a?.id ?? ""],
        keepMs: DAY,
      });
      expect(trashed.files).toMatchObject([
        { id: b?.id, key: b?.key },
        { id: a?.id, key: a?.key },
      ]);
      await tick();
      const x = await folderAt(catalog, "x");
      const { undoId } = await catalog.trashFolder(by, { id: x.id, keepMs: DAY });
      const { items, next } = await catalog.listTrash(COMMAND_EVERYWHERE, { limit: 10 });
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
        kind: "file",
        undoId: trashed.undoId,
        file: { size: 5, visibility: "public", mimeType: "text/plain" },
      });
      expect(await catalog.trashTotals(COMMAND_EVERYWHERE)).toEqual({
        items: 3,
        files: 3,
        bytes: 17,
      });
      const first = await catalog.listTrash(COMMAND_EVERYWHERE, { limit: 2 });
      const rest = await catalog.listTrash(COMMAND_EVERYWHERE, { limit: 2, after: first.next });
      expect([...first.items, ...rest.items]).toEqual([...items]);
      expect(rest.next).toBeUndefined();
      const ofOne = await catalog.listTrash(COMMAND_EVERYWHERE, { limit: 10, undoId });
      expect(ofOne.items).toEqual(items.slice(0, 1));
    });

    test("counts folders with very many files later", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      for (let n = 0; n < 11; n += 1) {
        const names = Array.from({ length: 1000 }, (_, index) => `${index}`);
        await uploader.add(names, { folder: `big/${n}`, size: 2 });
      }
      const { id } = await folderAt(catalog, "big");
      await catalog.trashFolder(COMMAND_EVERYWHERE, { id, keepMs: DAY });
      const counts = async () =>
        (await catalog.listTrash(COMMAND_EVERYWHERE, { limit: 1 })).items[0];
      expect(await counts()).toMatchObject({ files: null, bytes: null });
      expect(await catalog.trashTotals(COMMAND_EVERYWHERE)).toEqual({
        items: 1,
        files: 11_000,
        bytes: 22_000,
      });
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
      await catalog.trashFiles(COMMAND_EVERYWHERE, { ids: ids.slice(100, 900), keepMs: DAY });
      const scattered = ids.filter((_, index) => index > 1000 && index % 3 === 0);
      await catalog.trashFiles(COMMAND_EVERYWHERE, { ids: scattered, keepMs: DAY });
      for (const id of ids.slice(901, 921))
        await catalog.trashFiles(COMMAND_EVERYWHERE, { ids: [id], keepMs: DAY });
      const { id: trashedId } = await folderAt(catalog, "f/4");
      await catalog.trashFolder(COMMAND_EVERYWHERE, { id: trashedId, keepMs: DAY });
      for (const orderBy of ["createdAt", "name", "size"] as const) {
        for (const direction of ["ASC", "DESC"] as const) {
          const list = async (offset: number, limit: number | null) => {
            const page = { orderBy, direction, offset, limit };
            const found: string[] = [];
            for await (const batch of catalog.listFiles(COMMAND_EVERYWHERE, {}, page)) {
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
      const caller = limitedTo([mine.id]);
      const refused = await catalog.trashFiles(caller, { ids: [other.id], keepMs: DAY });
      expect(refused).toEqual({ undoId: undefined, files: [] });
      await expectFault(catalog.trashFolder(caller, { id: mine.id, keepMs: DAY }), "forbidden");
      await catalog.trashFiles(COMMAND_EVERYWHERE, { ids: [own.id, other.id], keepMs: DAY });
      await catalog.trashFolder(COMMAND_EVERYWHERE, { id: sub.id, keepMs: DAY });
      expect((await trashedKeys(catalog, caller)).sort()).toEqual(["mine/sub", "mine/sub/own"]);
      expect(await catalog.trashTotals(caller)).toEqual({ items: 2, files: 1, bytes: 1 });
      expect(await trashedKeys(catalog, limitedTo([sub.id]))).toEqual([]);
      expect(await catalog.purgeTrash(caller, { ids: [other.id] })).toEqual([]);
      const { restored, failed } = await catalog.restoreTrash(caller, { ids: [other.id, own.id] });
      expect(restored).toMatchObject([{ id: own.id, key: parseKey("mine/sub/own") }]);
      expect(failed).toMatchObject([{ id: other.id }]);
      // The folder of the caller itself was deleted: everything in it belongs to the root now.
      await catalog.trashFolder(COMMAND_EVERYWHERE, { id: mine.id, keepMs: DAY });
      expect(await trashedKeys(catalog, caller)).toEqual([]);
    });

    test("shows where things go now, and no names from outside a limit", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const file = await uploader.addOne("x", { folder: "secret/m/n" });
      const inside = await uploader.addOne("y", { folder: "secret/m" });
      const mine = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("mine"));
      const [m, n] = [await folderAt(catalog, "secret/m"), await folderAt(catalog, "secret/m/n")];
      await catalog.trashFiles(COMMAND_EVERYWHERE, { ids: [file.id, inside.id], keepMs: DAY });
      await catalog.trashFolder(COMMAND_EVERYWHERE, { id: n.id, keepMs: DAY });
      await catalog.changeFolder(COMMAND_EVERYWHERE, {
        id: m.id,
        parentId: mine.id,
        name: parseName("moved"),
      });
      const keys = ["mine/moved/n", "mine/moved/n/x", "mine/moved/y"];
      expect((await trashedKeys(catalog, limitedTo([mine.id]))).sort()).toEqual(keys);
      expect((await trashedKeys(catalog)).sort()).toEqual(keys);
      const { items } = await catalog.listTrash(limitedTo([mine.id]), { limit: 1 });
      expect(items).toMatchObject([{ id: n.id, name: "n" }]);
      const ids = [n.id, file.id, inside.id];
      const { restored } = await catalog.restoreTrash(limitedTo([mine.id]), { ids });
      expect(restored.map(({ key }) => `${key}`)).toEqual(keys);
    });
  });
}
