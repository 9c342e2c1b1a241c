import { describe, expect, test } from "bun:test";
import { COMMAND_EVERYWHERE, callerWith } from "../../domain/callers/caller.ts";
import { FULL_SCOPE } from "../../domain/callers/scope.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import type { CatalogFixture } from "./catalog.fixture.ts";
import {
  createUploader,
  DAY,
  expectFault,
  folderAt,
  limitedTo,
  listAll,
  versionsOf,
} from "./catalog.fixture.ts";
import { expectRightQuotas, giveQuota, usedOf } from "./quotas.fixture.ts";

export function quotasSuite(fixture: () => CatalogFixture): void {
  const parts = () => {
    const { catalog } = fixture();
    return { catalog, uploader: createUploader(catalog) };
  };

  describe("a quota", () => {
    test("counts what was there, and what is added and removed", async () => {
      const { catalog, uploader } = parts();
      await uploader.add(["a", "b"], { folder: "x/y", size: 10 });
      await uploader.add(["c"], { folder: "other", size: 1000 });
      const id = await giveQuota(catalog, "x", { maxBytes: 100, maxFiles: 5 });
      expect(await catalog.listQuotas(COMMAND_EVERYWHERE)).toEqual([
        {
          folderId: id,
          key: parseKey("x"),
          maxBytes: 100,
          maxFiles: 5,
          usedBytes: 20,
          usedFiles: 2,
        },
      ]);
      const added = await uploader.addOne("d", { folder: "x", size: 30 });
      expect(await usedOf(catalog, "x")).toEqual([50, 3]);
      await catalog.removeFiles(COMMAND_EVERYWHERE, [added.id]);
      expect(await usedOf(catalog, "x")).toEqual([20, 2]);
      await expectRightQuotas(catalog);
    });

    test("refuses what does not fit, and stores nothing of it", async () => {
      const { catalog, uploader } = parts();
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("x"));
      await giveQuota(catalog, "x", { maxBytes: 100 });
      await uploader.addOne("a", { folder: "x", size: 60 });
      await expectFault(
        uploader.add(["b", "c"], { folder: "x/new", size: 21 }),
        "quota_exceeded",
        "100 bytes",
      );
      expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("x/new"))).toBeUndefined();
      await uploader.add(["b", "c"], { folder: "x/new", size: 20 });
      await expectFault(uploader.addOne("d", { folder: "x", size: 1 }), "quota_exceeded");
      // Empty files take no bytes.
      await uploader.addOne("e", { folder: "x", size: 0 });
      expect(await usedOf(catalog, "x")).toEqual([100, 4]);
    });

    test("refuses files beyond their number", async () => {
      const { catalog, uploader } = parts();
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("x"));
      await giveQuota(catalog, "x", { maxFiles: 2 });
      await uploader.add(["a", "b"], { folder: "x" });
      await expectFault(uploader.addOne("c", { folder: "x" }), "quota_exceeded", "2 files");
      // Without a version, a replacement adds none.
      await uploader.addOne("a", { folder: "x", onConflict: "replace", size: 5 });
      expect(await usedOf(catalog, "x")).toEqual([6, 2]);
      const keeps = { onConflict: "replace", keepReplacedMs: DAY } as const;
      await expectFault(uploader.addOne("a", { folder: "x", ...keeps }), "quota_exceeded");
    });

    test("is never exceeded by uploads at the same time", async () => {
      const { catalog, uploader } = parts();
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("x"));
      await giveQuota(catalog, "x", { maxBytes: 105 });
      const uploads = await Promise.allSettled(
        Array.from({ length: 64 }, (_, n) =>
          uploader.addOne(`f${n}`, { folder: n % 2 === 0 ? "x" : "x/y", size: 10 }),
        ),
      );
      expect(uploads.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
      for (const upload of uploads) {
        if (upload.status === "rejected") {
          expect(upload.reason).toMatchObject({ kind: "quota_exceeded", code: "quota_exceeded" });
        }
      }
      expect(await usedOf(catalog, "x")).toEqual([100, 10]);
      await expectRightQuotas(catalog);
    });

    test("may be below what is there: then only additions are refused", async () => {
      const { catalog, uploader } = parts();
      const file = await uploader.addOne("a", { folder: "x", size: 50 });
      await giveQuota(catalog, "x", { maxBytes: 10, maxFiles: 0 });
      await expectFault(uploader.addOne("b", { folder: "x" }), "quota_exceeded");
      const name = parseName("renamed");
      await catalog.changeFile(COMMAND_EVERYWHERE, { id: file.id, name });
      const { undoId = "" } = await catalog.trashFiles(COMMAND_EVERYWHERE, {
        ids: [file.id],
        keepMs: DAY,
      });
      await catalog.restoreTrash(COMMAND_EVERYWHERE, { undoId });
      expect(await usedOf(catalog, "x")).toEqual([50, 1]);
      // Smaller content needs no room.
      await uploader.addOne("renamed", { folder: "x", size: 40, onConflict: "replace" });
      expect(await usedOf(catalog, "x")).toEqual([40, 1]);
      await catalog.removeFiles(COMMAND_EVERYWHERE, [file.id]);
      expect(await usedOf(catalog, "x")).toEqual([0, 0]);
    });

    test("counts versions and the trash until they are gone", async () => {
      const { catalog, uploader } = parts();
      const file = await uploader.addOne("a", { folder: "x/y", size: 10 });
      await giveQuota(catalog, "x", { maxBytes: 100 });
      const keeps = { onConflict: "replace", keepReplacedMs: DAY } as const;
      await uploader.addOne("a", { folder: "x/y", size: 20, ...keeps });
      expect(await usedOf(catalog, "x")).toEqual([30, 2]);
      const [version] = await versionsOf(catalog, file.id);
      await catalog.restoreVersion(COMMAND_EVERYWHERE, { id: version?.id ?? "", keepMs: 0 });
      expect(await usedOf(catalog, "x")).toEqual([30, 2]);
      await catalog.trashFiles(COMMAND_EVERYWHERE, { ids: [file.id], keepMs: DAY });
      expect(await usedOf(catalog, "x")).toEqual([30, 2]);
      // The version of a file in the trash.
      await tickPast(catalog.now());
      await catalog.expireTrash(10);
      expect(await usedOf(catalog, "x")).toEqual([10, 1]);
      await catalog.purgeTrash(COMMAND_EVERYWHERE, { ids: [file.id] });
      expect(await usedOf(catalog, "x")).toEqual([0, 0]);
    });

    test("counts a folder of the trash for the folder that it was deleted from", async () => {
      const { catalog, uploader } = parts();
      const file = await uploader.addOne("a", { folder: "x/y/z", size: 10 });
      const keeps = { onConflict: "replace", keepReplacedMs: DAY } as const;
      await uploader.addOne("a", { folder: "x/y/z", size: 20, ...keeps });
      await giveQuota(catalog, "x", { maxBytes: 100 });
      const { id } = await folderAt(catalog, "x/y");
      await catalog.trashFolder(COMMAND_EVERYWHERE, { id, keepMs: DAY });
      expect(await usedOf(catalog, "x")).toEqual([30, 2]);
      const [version] = await versionsOf(catalog, file.id);
      expect(version).toBeUndefined();
      await catalog.restoreTrash(COMMAND_EVERYWHERE, { ids: [id] });
      expect(await usedOf(catalog, "x")).toEqual([30, 2]);
      await catalog.trashFolder(COMMAND_EVERYWHERE, { id, keepMs: DAY });
      await catalog.purgeTrash(COMMAND_EVERYWHERE, { ids: [id] });
      expect(await usedOf(catalog, "x")).toEqual([0, 0]);
      await expectRightQuotas(catalog);
    });

    test("counts files and folders that move in and out, with their versions", async () => {
      const { catalog, uploader } = parts();
      const one = await uploader.addOne("a", { folder: "from", size: 10 });
      await uploader.addOne("b", { folder: "from/sub", size: 10 });
      const keeps = { onConflict: "replace", keepReplacedMs: DAY } as const;
      for (const place of ["from/a", "from/sub/b"]) {
        const [folder, name] = [place.slice(0, -2), place.slice(-1)];
        await uploader.addOne(name, { folder, size: 20, ...keeps });
      }
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("to"));
      await giveQuota(catalog, "to", { maxBytes: 60 });
      await giveQuota(catalog, "from", { maxBytes: 60 });
      const [to, sub] = [await folderAt(catalog, "to"), await folderAt(catalog, "from/sub")];
      await catalog.changeFile(COMMAND_EVERYWHERE, { id: one.id, folderId: to.id });
      expect(await usedOf(catalog, "to")).toEqual([30, 2]);
      expect(await usedOf(catalog, "from")).toEqual([30, 2]);
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id: sub.id, parentId: to.id });
      expect(await usedOf(catalog, "to")).toEqual([60, 4]);
      expect(await usedOf(catalog, "from")).toEqual([0, 0]);
      const more = await uploader.addOne("more", { folder: "from", size: 1 });
      const move = { ids: [more.id], folderId: to.id };
      await expectFault(catalog.changeFiles(COMMAND_EVERYWHERE, move), "quota_exceeded");
      expect((await catalog.fileById(COMMAND_EVERYWHERE, more.id))?.key).toBe(
        parseKey("from/more"),
      );
      await catalog.removeFolder(COMMAND_EVERYWHERE, sub.id);
      expect(await usedOf(catalog, "to")).toEqual([30, 2]);
      await expectRightQuotas(catalog);
    });

    test("counts what is restored elsewhere than it was deleted", async () => {
      const { catalog, uploader } = parts();
      const file = await uploader.addOne("a", { folder: "one/sub", size: 10 });
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("two"));
      await giveQuota(catalog, "one", { maxBytes: 100 });
      await giveQuota(catalog, "two", { maxBytes: 5 });
      await catalog.trashFiles(COMMAND_EVERYWHERE, { ids: [file.id], keepMs: DAY });
      const [sub, two] = [await folderAt(catalog, "one/sub"), await folderAt(catalog, "two")];
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id: sub.id, parentId: two.id });
      expect(await usedOf(catalog, "one")).toEqual([10, 1]);
      const restore = () => catalog.restoreTrash(COMMAND_EVERYWHERE, { ids: [file.id] });
      await expectFault(restore(), "quota_exceeded");
      await giveQuota(catalog, "two", { maxBytes: 10 });
      await restore();
      expect(await usedOf(catalog, "one")).toEqual([0, 0]);
      expect(await usedOf(catalog, "two")).toEqual([10, 1]);
      await expectRightQuotas(catalog);
    });

    test("stays with its folder when that is renamed, and deleted and restored", async () => {
      const { catalog, uploader } = parts();
      await uploader.addOne("a", { folder: "x", size: 10 });
      const id = await giveQuota(catalog, "x", { maxBytes: 15 });
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id, name: parseName("y") });
      await expectFault(uploader.addOne("b", { folder: "y", size: 6 }), "quota_exceeded");
      await catalog.trashFolder(COMMAND_EVERYWHERE, { id, keepMs: DAY });
      expect(await catalog.listQuotas(COMMAND_EVERYWHERE)).toEqual([]);
      // Another folder of the name has none.
      await uploader.addOne("b", { folder: "y", size: 600 });
      await catalog.restoreTrash(COMMAND_EVERYWHERE, { ids: [id] });
      expect(await usedOf(catalog, "y (2)")).toEqual([10, 1]);
      await expectFault(uploader.addOne("b", { folder: "y (2)", size: 6 }), "quota_exceeded");
      await catalog.removeFolder(COMMAND_EVERYWHERE, id);
      expect(await catalog.dueRecounts(Number.MAX_SAFE_INTEGER)).toEqual([]);
    });

    test("is right after an undo of moves between folders that were renamed", async () => {
      const { catalog, uploader } = parts();
      const agent = callerWith({ kind: "key", id: "agent", name: "agent" }, FULL_SCOPE);
      const file = await uploader.addOne("a", { folder: "other", size: 10 });
      const inside = await uploader.addOne("b", { folder: "x/y", size: 3 });
      await uploader.addOne("c", { folder: "z/w", size: 5 });
      const id = await giveQuota(catalog, "x", { maxBytes: 100 });
      const { id: other } = await folderAt(catalog, "other");
      const { id: w, parentId: z } = await folderAt(catalog, "z/w");
      const move = (folderId: string) => catalog.changeFile(agent, { id: file.id, folderId });
      const rename = (name: string) =>
        catalog.changeFolder(agent, { id, name: parseName(name) }).then(() => tickPast(Date.now()));
      await move(id);
      await rename("renamed");
      await catalog.changeFile(agent, { id: inside.id, folderId: other });
      await catalog.changeFolder(agent, { id: w, parentId: id });
      await rename("again");
      await move(other);
      await move(id);
      await move(other);
      await catalog.undoChanges(COMMAND_EVERYWHERE, {
        by: "agent",
        maker: undefined,
        since: 0,
        onlyDeletions: false,
        keepMs: DAY,
      });
      expect((await folderAt(catalog, "z/w")).parentId).toBe(z);
      expect(await usedOf(catalog, "x")).toEqual([3, 1]);
      await expectRightQuotas(catalog);
    });

    test("keeps its folder from moving into another one in an undo", async () => {
      const { catalog, uploader } = parts();
      const agent = callerWith({ kind: "key", id: "agent", name: "agent" }, FULL_SCOPE);
      await uploader.addOne("a", { folder: "p/x", size: 10 });
      const [root, { id }] = [await folderAt(catalog, ""), await folderAt(catalog, "p/x")];
      await catalog.changeFolder(agent, { id, parentId: root.id });
      await giveQuota(catalog, "x", { maxBytes: 100 });
      const { conflicts } = await catalog.undoChanges(COMMAND_EVERYWHERE, {
        by: "agent",
        maker: undefined,
        since: 0,
        onlyDeletions: false,
        keepMs: DAY,
      });
      expect(conflicts).toMatchObject([{ id, key: "x" }]);
      expect(await usedOf(catalog, "x")).toEqual([10, 1]);
      expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("p/x"))).toBeUndefined();
    });

    test("counts once what is restored into a folder that is restored with it", async () => {
      const { catalog, uploader } = parts();
      const file = await uploader.addOne("a", { folder: "p/x/y/z", size: 10 });
      await uploader.addOne("b", { folder: "p/x/y/z", size: 1 });
      const [x, y, z] = [
        await folderAt(catalog, "p/x"),
        await folderAt(catalog, "p/x/y"),
        await folderAt(catalog, "p/x/y/z"),
      ];
      const root = await folderAt(catalog, "");
      await catalog.trashFiles(COMMAND_EVERYWHERE, { ids: [file.id], keepMs: DAY });
      for (const { id } of [z, y])
        await catalog.trashFolder(COMMAND_EVERYWHERE, { id, keepMs: DAY });
      await giveQuota(catalog, "p", { maxBytes: 100 });
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id: x.id, parentId: root.id });
      await giveQuota(catalog, "x", { maxBytes: 100 });
      expect(await usedOf(catalog, "p")).toEqual([11, 2]);
      await catalog.restoreTrash(COMMAND_EVERYWHERE, { ids: [file.id, z.id, y.id] });
      expect(await usedOf(catalog, "p")).toEqual([0, 0]);
      expect(await usedOf(catalog, "x")).toEqual([11, 2]);
      await expectRightQuotas(catalog);
    });

    test("counts versions that end at the same time as a folder of the trash", async () => {
      const { catalog, uploader } = parts();
      const keeps = { onConflict: "replace", keepReplacedMs: 0 } as const;
      await uploader.addOne("a", { folder: "x/y", size: 10 });
      await giveQuota(catalog, "x", { maxBytes: 100 });
      await uploader.addOne("a", { folder: "x/y", size: 20, ...keeps });
      const { id } = await folderAt(catalog, "x/y");
      await catalog.trashFolder(COMMAND_EVERYWHERE, { id, keepMs: 0 });
      await tickPast(catalog.now());
      while (await catalog.expireTrash(10));
      expect(await usedOf(catalog, "x")).toEqual([0, 0]);
    });

    test("keeps its folder from moving into another one", async () => {
      const { catalog, uploader } = parts();
      await uploader.addOne("a", { folder: "x", size: 10 });
      await uploader.addOne("a", { folder: "y", size: 10 });
      const id = await giveQuota(catalog, "x", { maxBytes: 15 });
      const { id: parentId } = await folderAt(catalog, "y");
      const move = () => catalog.changeFolder(COMMAND_EVERYWHERE, { id, parentId });
      await expectFault(move(), "conflict", "Remove the quota first");
      await catalog.setQuota(id, { maxBytes: null, maxFiles: null });
      await move();
    });

    test("is only for folders directly below the root", async () => {
      const { catalog } = parts();
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("x/y"));
      for (const key of ["", "x/y"]) {
        await expectFault(catalog.openQuota({ key: parseKey(key) }), "invalid");
      }
      await expectFault(catalog.openQuota({ key: parseKey("none") }), "not_found");
      await expectFault(catalog.setQuota("none", { maxBytes: 1, maxFiles: null }), "not_found");
    });

    test("keeps the limit that is not set, and ends without any", async () => {
      const { catalog } = parts();
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("x"));
      const id = await giveQuota(catalog, "x", { maxBytes: 15 });
      const limits = async () =>
        (await catalog.listQuotas(COMMAND_EVERYWHERE)).map((each) => [
          each.maxBytes,
          each.maxFiles,
        ]);
      await catalog.setQuota(id, { maxFiles: 5 });
      expect(await limits()).toEqual([[15, 5]]);
      await catalog.setQuota(id, { maxBytes: null });
      expect(await limits()).toEqual([[null, 5]]);
      await catalog.setQuota(id, { maxFiles: null });
      await expectFault(catalog.setQuota(id, { maxBytes: 1 }), "not_found");
    });

    test("is shown to callers who see its folder", async () => {
      const { catalog } = parts();
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("x/y"));
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("z"));
      const [x, z] = [
        await giveQuota(catalog, "x", { maxBytes: 1 }),
        await giveQuota(catalog, "z", { maxBytes: 1 }),
      ];
      const { id: below } = await folderAt(catalog, "x/y");
      const seen = async (folderId: string) =>
        (await catalog.listQuotas(limitedTo([folderId]))).map((quota) => quota.folderId);
      expect([await seen(x), await seen(z), await seen(below)]).toEqual([[x], [z], []]);
    });

    test("is right after a recount during uploads, whatever was wrong", async () => {
      const { catalog, uploader } = parts();
      await uploader.add(["a", "b"], { folder: "x", size: 7 });
      const { id } = await catalog.openQuota({ key: parseKey("x") });
      const work = Array.from({ length: 40 }, async (_, n) => {
        const file = await uploader.addOne(`f${n}`, { folder: `x/${n % 3}`, size: n });
        if (n % 2 === 0) await catalog.removeFiles(COMMAND_EVERYWHERE, [file.id]);
        if (n % 5 === 0) await catalog.recountQuota(id);
      });
      await Promise.all([...work, catalog.recountQuota(id), catalog.recountQuota(id)]);
      expect(await catalog.recountQuota(id)).toEqual({ folderId: id, bytes: 0, files: 0 });
      expect(await Array.fromAsync(catalog.inspect())).toEqual([]);
    });

    test("is recounted when records were dropped", async () => {
      const { catalog, uploader } = parts();
      const { id: fileId, blobId } = await uploader.addOne("a", { folder: "x", size: 7 });
      const id = await giveQuota(catalog, "x", { maxBytes: 10 });
      expect(await catalog.dueRecounts(0)).toEqual([]);
      await catalog.dropRecords([{ fileId, blobId }]);
      expect(await catalog.dueRecounts(0)).toEqual([id]);
      expect(await catalog.recountQuota(id)).toEqual({ folderId: id, bytes: -7, files: -1 });
      expect(await catalog.dueRecounts(0)).toEqual([]);
    });

    test("charges a large folder by what was measured, until it is recounted", async () => {
      const { catalog, uploader } = parts();
      const names = Array.from({ length: 10_050 }, (_, n) => `f${n}`);
      await uploader.add(names, { folder: "from/big" });
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("to"));
      const from = await giveQuota(catalog, "from", { maxFiles: 20_000 });
      const to = await giveQuota(catalog, "to", { maxFiles: 10_100 });
      const { id } = await folderAt(catalog, "from/big");
      const moved = { id, parentId: to };
      const tooMuch = { ...moved, measured: { bytes: 0, files: 10_101 } };
      await expectFault(catalog.changeFolder(COMMAND_EVERYWHERE, tooMuch), "quota_exceeded");
      const nearly = { ...moved, measured: { bytes: 10_040, files: 10_040 } };
      await catalog.changeFolder(COMMAND_EVERYWHERE, nearly);
      expect(await catalog.dueRecounts(0)).toEqual([from, to].sort());
      expect(await usedOf(catalog, "to")).toEqual([10_040, 10_040]);
      for (const each of [from, to]) await catalog.recountQuota(each);
      expect(await usedOf(catalog, "to")).toEqual([10_050, 10_050]);
      expect(await usedOf(catalog, "from")).toEqual([0, 0]);
      expect(await listAll(catalog, { folderId: id })).toHaveLength(10_050);
    }, 60_000);
  });
}

/** Waits until this moment is over. */
async function tickPast(moment: number): Promise<void> {
  while (Date.now() <= moment + 1) await Bun.sleep(1);
}
