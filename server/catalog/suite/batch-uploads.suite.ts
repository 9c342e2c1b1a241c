import { describe, expect, test } from "bun:test";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import { allKeys, type CatalogFixture, expectFault } from "./catalog.fixture.ts";
import { blobsOf, createUploads, expectCondemned, NO_LIMITS } from "./uploads.fixture.ts";

/** Resumable uploads that are part of a batch. */
export function batchUploadsSuite(fixture: () => CatalogFixture): void {
  const parts = () => {
    const { catalog } = fixture();
    return { catalog, uploads: createUploads(catalog) };
  };

  describe("an upload of a batch", () => {
    const wanted = { folder: parseKey("img"), name: parseName("a.png") };

    test("becomes a sealed member, and visible only with the batch", async () => {
      const { catalog, uploads } = parts();
      const batchId = await uploads.addBatch();
      const upload = await uploads.add({ ...wanted, batchId, visibility: "private" });
      expect(await catalog.batchUploads(batchId, 10)).toEqual([upload]);
      expect(await uploads.finish(upload)).toBeUndefined();
      expect(await uploads.find(upload.id)).toMatchObject({ state: "finished", fileId: null });
      expect(await catalog.batchUploads(batchId, 10)).toEqual([]);
      expect(await catalog.batchMembers(batchId, 0, 10)).toMatchObject([
        { ...wanted, visibility: "private", blobId: upload.blobId, size: 10 },
      ]);
      expect(await allKeys(catalog)).toEqual([]);
      await uploads.commit(batchId);
      expect(await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("site/img/a.png"))).toMatchObject(
        {
          blobId: upload.blobId,
          visibility: "private",
        },
      );
      await expectCondemned(catalog, []);
    });

    test("keeps the batch from being committed until it is finished or removed", async () => {
      const { catalog, uploads } = parts();
      const batchId = await uploads.addBatch();
      await uploads.seal(batchId, ["x"]);
      const upload = await uploads.add({ ...wanted, batchId });
      await expectFault(uploads.commit(batchId), "conflict", '"img/a.png" is not finished');
      await catalog.removeUpload(upload.id);
      const unnamed = await uploads.add({ ...wanted, batchId, name: null });
      await expectFault(uploads.commit(batchId), "conflict", "without a name");
      await catalog.removeUpload(unnamed.id);
      expect(await uploads.commit(batchId)).toMatchObject({ added: 1 });
    });

    test("is refused for a path that the batch has", async () => {
      const { catalog, uploads } = parts();
      const batchId = await uploads.addBatch();
      const sealed = await uploads.seal(batchId, ["img/a.png"]);
      await expectFault(uploads.add({ ...wanted, batchId }), "conflict", '"img/a.png"');
      const late = await uploads.add({ ...wanted, batchId, name: null });
      const file = { name: wanted.name };
      await expectFault(uploads.finish(late, { file }), "conflict", '"img/a.png"');
      expect(await uploads.find(late.id)).toMatchObject({ state: "open" });
      expect(await catalog.batchMembers(batchId, 0, 10)).toMatchObject(sealed);
    });

    test("replaces an open one of the same path, but not one elsewhere", async () => {
      const { catalog, uploads } = parts();
      const [batchId, other] = [await uploads.addBatch(), await uploads.addBatch()];
      const kept = [
        await uploads.add({ ...wanted, batchId: other }),
        await uploads.add({ ...wanted, batchId, folder: parseKey("") }),
        await uploads.add({ ...wanted, batchId, name: null }),
        await uploads.add({ ...wanted }),
      ];
      const first = await uploads.add({ ...wanted, batchId });
      const named = await uploads.add({ ...wanted, batchId, name: null });
      await uploads.save(named.id, await uploads.claim(named.id), { name: wanted.name });
      const second = await uploads.add({ ...wanted, batchId });
      const gone = [first, named];
      for (const { id } of gone) expect(await catalog.uploadById(id)).toBeUndefined();
      for (const { id } of [...kept, second]) expect(await catalog.uploadById(id)).toBeDefined();
      await expectCondemned(catalog, blobsOf(gone));
    });

    test("ends with its batch", async () => {
      const { catalog, uploads } = parts();
      const batchId = await uploads.addBatch();
      const sealed = await uploads.seal(batchId, ["x"]);
      const open = await uploads.add({ ...wanted, batchId });
      const epoch = await uploads.claim(open.id);
      const finished = await uploads.add({ ...wanted, batchId, name: parseName("b") });
      await uploads.finish(finished);
      expect(await catalog.removeBatch(batchId)).toBe(true);
      expect(await catalog.removeBatch(batchId)).toBe(false);
      await expectCondemned(catalog, blobsOf([open, finished, ...sealed]));
      await expectFault(uploads.finish(open, { epoch }), "not_found");
      await expectFault(uploads.add({ ...wanted, batchId }), "not_found");
      expect(await catalog.uploadById(finished.id)).toBeUndefined();
    });

    test("and many others, finished, removed and replaced at the same time, become its files", async () => {
      const { catalog, uploads } = parts();
      const batchId = await uploads.addBatch();
      const one = async (index: number): Promise<string[]> => {
        const name = parseName(`${index % 20}`);
        const upload = await uploads.newUpload({ folder: parseKey("img"), name, batchId });
        await catalog.addUpload(upload, NO_LIMITS);
        const claim = await catalog.claimUpload({ id: upload.id, owner: uploads.owner });
        if (claim === undefined || claim === "busy") return [];
        await uploads.save(upload.id, claim.epoch);
        if (index % 3 === 0 && (await catalog.removeUpload(upload.id))) return [];
        await uploads.finish(upload, { epoch: claim.epoch });
        return [`site/img/${name}`];
      };
      const outcomes = await Promise.allSettled(
        Array.from({ length: 60 }, async (_, index) => one(index)),
      );
      const finished: string[] = [];
      for (const outcome of outcomes) {
        if (outcome.status === "fulfilled") finished.push(...outcome.value);
        else expect(["conflict", "not_found"]).toContain(outcome.reason.kind);
      }
      for (const { id } of await catalog.batchUploads(batchId, 100)) await catalog.removeUpload(id);
      const { added } = await uploads.commit(batchId);
      expect(added).toBe(finished.length);
      expect(await allKeys(catalog)).toEqual(finished.sort());
    });
  });
}
