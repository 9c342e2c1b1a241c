import { describe, expect, test } from "bun:test";
import { blockOf } from "../../domain/blob-id.ts";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import type { MetadataText, Sha256 } from "../../domain/records.ts";
import type { BatchMember, UploadRecord } from "../../domain/uploads.ts";
import {
  allKeys,
  type CatalogFixture,
  createUploader,
  expectFault,
  limitedTo,
} from "./catalog.fixture.ts";
import { readFeed } from "./feed.suite.ts";
import { addApiKey } from "./scoped-keys.suite.ts";
import {
  blobsOf,
  createUploads,
  expectCondemned,
  HOUR,
  maker,
  NO_LIMITS,
} from "./uploads.fixture.ts";

export function uploadsSuite(fixture: () => CatalogFixture): void {
  const parts = () => {
    const { catalog } = fixture();
    return { catalog, uploads: createUploads(catalog) };
  };

  describe("an upload", () => {
    test("keeps everything it was created with", async () => {
      const { catalog, uploads } = parts();
      const { owner: _owner, ...wanted } = await uploads.newUpload({
        within: ["one", "two"],
        contentType: "image/png",
        visibility: "private",
        metadata: '{"x":"y"}' as MetadataText,
        tusMetadata: "filename YQ==,empty",
        onConflict: "keepBoth",
        expectedSha256: "ab".repeat(32) as Sha256,
        length: 2 ** 45,
        maxSize: 2 ** 46,
        types: ["image/*", 'text/plain; x="a,b"'],
        maker: { kind: "account", id: "a", name: null },
      });
      await catalog.addUpload({ ...wanted, owner: uploads.owner }, NO_LIMITS);
      expect(await catalog.uploadById(wanted.id)).toEqual({
        ...wanted,
        offset: 0,
        checksum: 0,
        growth: null,
        tailBlobId: null,
        tailSize: 0,
        state: "open",
        fileId: null,
      });
      expect(await catalog.uploadById("unknown")).toBeUndefined();
    });

    test("may have neither a name nor a length nor a maker with an id", async () => {
      const { catalog, uploads } = parts();
      const nobody = { kind: "command", id: null, name: null } as const;
      const upload = await uploads.add({ name: null, length: null, maker: nobody });
      expect(upload).toMatchObject({ name: null, length: null, maker: nobody });
      expect(await catalog.openUploads(nobody)).toEqual({ count: 1, bytes: 0 });
      expect(await catalog.openUploads(maker)).toEqual({ count: 0, bytes: 0 });
    });

    test("needs the lease of its blob's block", async () => {
      const { catalog, uploads } = parts();
      await expectFault(uploads.add({ owner: "another" }), "unavailable");
      const { blobId } = await uploads.newUpload();
      await catalog.releaseLease(blockOf(blobId));
      await expectFault(uploads.add({ blobId }), "unavailable");
      expect(await catalog.openUploads()).toEqual({ count: 0, bytes: 0 });
    });

    test("counts against the limits until it is finished or removed", async () => {
      const { catalog, uploads } = parts();
      const limits = { maxOpen: 2, maxOpenBytes: 25 };
      const first = await uploads.add({}, limits);
      await uploads.save(first.id, await uploads.claim(first.id), { offset: 6 });
      const second = await uploads.add({ name: parseName("b") }, limits);
      expect(await catalog.openUploads()).toEqual({ count: 2, bytes: 14 });
      await expectFault(uploads.add({}, limits), "rate_limited", "2 open uploads");
      const other = { ...maker, id: "other" };
      await expectFault(uploads.add({ maker: other, length: 12 }, limits), "no_space");
      await uploads.add({ maker: other, length: 11 }, limits);
      expect(await catalog.openUploads(other)).toEqual({ count: 1, bytes: 11 });
      expect(await catalog.openUploads(maker)).toEqual({ count: 2, bytes: 14 });
      await uploads.finish(second);
      expect(await catalog.removeUpload(first.id)).toBe(true);
      expect(await catalog.openUploads(maker)).toEqual({ count: 0, bytes: 0 });
    });
  });

  describe("limits of open uploads", () => {
    const range = (length: number): number[] => Array.from({ length }, (_, index) => index);

    test("hold for uploads and batches that are added at the same moment", async () => {
      const { catalog, uploads } = parts();
      const outcomes = await Promise.allSettled(
        range(40).map(() => uploads.add({}, { ...NO_LIMITS, maxOpen: 7 })),
      );
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(7);
      const other = { ...maker, id: "other" };
      const inBytes = await Promise.allSettled(
        range(40).map(() =>
          uploads.add({ maker: other, length: 10 }, { maxOpen: 100, maxOpenBytes: 125 }),
        ),
      );
      expect(inBytes.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
      expect(await catalog.openUploads()).toEqual({ count: 12, bytes: 120 });
      const batches = await Promise.allSettled(
        range(40).map(() => uploads.addBatch({}, { maxOpen: 7 })),
      );
      expect(batches.filter(({ status }) => status === "fulfilled")).toHaveLength(7);
    });
  });

  describe("finishing an upload", () => {
    test("makes the file visible, in the name of the maker, and keeps the upload for answers", async () => {
      const { catalog, uploads } = parts();
      const start = await catalog.feedEnd();
      const upload = await uploads.add({
        visibility: "private",
        metadata: '{"h":{}}' as MetadataText,
      });
      const epoch = await uploads.claim(upload.id);
      const tailBlobId = await uploads.takeBlob();
      await uploads.save(upload.id, epoch, { offset: 8, tailBlobId, tailSize: 2, growth: "state" });
      expect(await allKeys(catalog)).toEqual([]);
      const answerUntil = Date.now() + 5 * HOUR;
      const file = await uploads.finish(upload, { epoch, answerUntil });
      expect(file).toMatchObject({
        key: parseKey("in/here/a.bin"),
        visibility: "private",
        metadata: '{"h":{}}' as MetadataText,
        blobId: upload.blobId,
        size: 10,
        checksum: 1010,
      });
      expect(await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("in/here/a.bin"))).toEqual(file);
      expect(await uploads.find(upload.id)).toMatchObject({
        state: "finished",
        fileId: file?.id,
        offset: 10,
        length: 10,
        checksum: 1010,
        growth: null,
        tailBlobId: null,
        tailSize: 0,
        expiresAt: answerUntil,
      });
      await expectCondemned(catalog, [tailBlobId]);
      const entries = await readFeed(catalog, start);
      expect(entries.map(({ change }) => change.kind)).toEqual([
        "folder.created",
        "folder.created",
        "file.created",
      ]);
      expect(entries.map(({ actor }) => actor)).toEqual([maker, maker, maker]);
    });

    test("again with the same epoch gives the same answer, and with another one a fault", async () => {
      const { catalog, uploads } = parts();
      const upload = await uploads.add();
      const epoch = await uploads.claim(upload.id);
      const file = await uploads.finish(upload, { epoch });
      expect(await uploads.finish(upload, { epoch })).toEqual(file);
      await expectFault(uploads.finish(upload, { epoch: epoch + 1 }), "unavailable");
      await expectFault(uploads.finish({ ...upload, id: "missing" }, { epoch }), "not_found");
      expect(await allKeys(catalog)).toHaveLength(1);
    });

    test("gives a file without a visibility the default one, and a replaced one its own", async () => {
      const { catalog, uploads } = parts();
      const folder = "in/here";
      const old = await createUploader(catalog).addOne("a.bin", { folder, visibility: "private" });
      const upload = await uploads.add({ onConflict: "replace" });
      const replaced = await uploads.finish(upload, { defaultVisibility: "public" });
      expect(replaced).toMatchObject({ id: old.id, visibility: "private", blobId: upload.blobId });
      await expectCondemned(catalog, [old.blobId]);
      const other = await uploads.add({ name: parseName("b") });
      expect(await uploads.finish(other, { defaultVisibility: "private" })).toMatchObject({
        visibility: "private",
      });
    });

    test("refused by a taken name leaves the upload as it was", async () => {
      const { catalog, uploads } = parts();
      const upload = await uploads.add();
      const epoch = await uploads.claim(upload.id);
      await uploads.save(upload.id, epoch, { offset: 8 });
      await createUploader(catalog).addOne("a.bin", { folder: "in/here" });
      const before = await uploads.find(upload.id);
      await expectFault(uploads.finish(upload, { epoch }), "conflict", "a.bin");
      expect(await uploads.find(upload.id)).toEqual(before);
      await expectCondemned(catalog, []);
      await catalog.changeFile(COMMAND_EVERYWHERE, {
        id: (await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("in/here/a.bin")))?.id ?? "",
        name: parseName("b"),
      });
      expect(await uploads.finish(upload, { epoch })).toMatchObject({ name: parseName("a.bin") });
    });

    test("of a name that is taken keeps both or skips, as it was created", async () => {
      const { catalog, uploads } = parts();
      await createUploader(catalog).addOne("a.bin", { folder: "in/here" });
      const both = await uploads.finish(await uploads.add({ onConflict: "keepBoth" }));
      expect(both?.name).toBe(parseName("a (2).bin"));
      const skipped = await uploads.add({ onConflict: "skip" });
      expect(await uploads.finish(skipped)).toBeUndefined();
      expect(await uploads.find(skipped.id)).toMatchObject({ state: "finished", fileId: null });
      await expectCondemned(catalog, [skipped.blobId]);
    });

    test("outside the folders of the caller is not found", async () => {
      const { catalog, uploads } = parts();
      const inside = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("in"));
      const outside = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("out"));
      const upload = await uploads.add();
      const epoch = await uploads.claim(upload.id);
      await expectFault(
        uploads.finish(upload, { epoch, caller: limitedTo([outside.id]) }),
        "not_found",
      );
      expect((await uploads.find(upload.id)).state).toBe("open");
      expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("in/here"))).toBeUndefined();
      expect(await uploads.finish(upload, { epoch, caller: limitedTo([inside.id]) })).toBeDefined();
    });

    test("twice at the same time makes one file", async () => {
      const { catalog, uploads } = parts();
      const upload = await uploads.add({ onConflict: "keepBoth" });
      const epoch = await uploads.claim(upload.id);
      const files = await Promise.all([1, 2, 3].map(() => uploads.finish(upload, { epoch })));
      expect(new Set(files.map((file) => file?.id)).size).toBe(1);
      expect(await allKeys(catalog)).toHaveLength(1);
    });

    test("that repeats another one gets its file only where the folder still has its key", async () => {
      const { catalog, uploads } = parts();
      const sha256 = "ab".repeat(32) as Sha256;
      const finish = async (wanted: Partial<UploadRecord>) =>
        uploads.finish(await uploads.add(wanted), { isWhole: true, file: { sha256 } });
      for (const onConflict of ["refuse", "replace", "keepBoth", "skip"] as const) {
        const folder = parseKey(`daily ${onConflict}`);
        const isKept = onConflict === "keepBoth";
        if (isKept) await createUploader(catalog).addOne("a.bin", { folder });
        const key = parseKey(`${folder}/${isKept ? "a (2).bin" : "a.bin"}`);
        const first = await finish({ folder, onConflict });
        expect(first?.key).toBe(key);
        expect(await finish({ folder, onConflict })).toEqual(first);
        await catalog.changeFolder(COMMAND_EVERYWHERE, {
          id: { key: folder },
          name: parseName(`archive ${onConflict}`),
        });
        const renewed = await finish({ folder, onConflict });
        expect(renewed?.key).toBe(parseKey(`${folder}/a.bin`));
        expect(renewed?.id).not.toBe(first?.id);
      }
    });

    test("hands the blob to the file, whose removal then condemns it", async () => {
      const { catalog, uploads } = parts();
      const upload = await uploads.add();
      const file = await uploads.finish(upload);
      await catalog.removeFiles(COMMAND_EVERYWHERE, [file?.id ?? ""]);
      await expectCondemned(catalog, [upload.blobId]);
      expect(await catalog.blobsInUse([upload.blobId])).toEqual([]);
      await catalog.forgetCondemnedBlobs([upload.blobId]);
      expect(await catalog.knownBlobs(blockOf(upload.blobId))).toEqual([]);
    });
  });

  describe("removing an upload", () => {
    test("condemns its blobs, and ends its writer", async () => {
      const { catalog, uploads } = parts();
      const upload = await uploads.add();
      const epoch = await uploads.claim(upload.id);
      const tailBlobId = await uploads.takeBlob();
      await uploads.save(upload.id, epoch, { tailBlobId, tailSize: 1 });
      expect(await catalog.removeUpload(upload.id)).toBe(true);
      expect(await catalog.removeUpload(upload.id)).toBe(false);
      expect(await catalog.uploadById(upload.id)).toBeUndefined();
      await expectCondemned(catalog, [upload.blobId, tailBlobId]);
      expect(await catalog.renewUpload(upload.id, epoch)).toBe(false);
      expect(await uploads.save(upload.id, epoch)).toBe(false);
      await expectFault(uploads.finish(upload, { epoch }), "not_found");
    });

    test("that is finished keeps its file", async () => {
      const { catalog, uploads } = parts();
      const upload = await uploads.add();
      await uploads.finish(upload);
      expect(await catalog.removeUpload(upload.id)).toBe(true);
      expect(await allKeys(catalog)).toHaveLength(1);
      await expectCondemned(catalog, []);
    });

    test("happens to those of a removed key, and to its batches", async () => {
      const { catalog, uploads } = parts();
      const keys = ["revoked", "other"].map((id) => ({ kind: "key", id, name: id }) as const);
      for (const { id } of keys) await addApiKey(catalog, id);
      const made = await Promise.all(
        keys.map(async (by) => ({
          open: await uploads.add({ maker: by }),
          finished: await uploads.add({ maker: by, name: parseName(`finished by ${by.id}`) }),
          batch: await uploads.addBatch({ maker: by }),
          members: [] as BatchMember[],
        })),
      );
      const inBatch: UploadRecord[] = [];
      for (const { finished, batch, members } of made) {
        await uploads.finish(finished);
        members.push(...(await uploads.seal(batch, ["a", "b/c"])));
        inBatch.push(await uploads.add({ maker, batchId: batch }));
      }
      await catalog.removeApiKey({ id: "revoked" });
      const left = await Promise.all(
        made.map(async ({ open, finished, batch }) => [
          (await catalog.uploadById(open.id)) !== undefined,
          (await catalog.uploadById(finished.id)) !== undefined,
          (await catalog.batchById(batch)) !== undefined,
        ]),
      );
      expect(left).toEqual([
        [false, true, false],
        [true, true, true],
      ]);
      const gone = made.slice(0, 1).flatMap(({ open, members }) => [open, ...members]);
      await expectCondemned(catalog, blobsOf([...gone, ...inBatch.slice(0, 1)]));
    });

    test("happens to expired ones only, in steps", async () => {
      const { catalog, uploads } = parts();
      const now = Date.now();
      const expired = [];
      for (let index = 0; index < 5; index += 1) {
        expired.push(await uploads.add({ expiresAt: now - index }));
      }
      const kept = await uploads.add({ expiresAt: now + HOUR });
      const [finished] = expired;
      if (finished === undefined) throw new Error("There is no upload.");
      await uploads.finish(finished, { answerUntil: now - 1 });
      expect(await catalog.removeExpiredUploads(now, 3)).toBe(true);
      expect(await catalog.removeExpiredUploads(now, 3)).toBe(false);
      const left = await Promise.all([...expired, kept].map(({ id }) => catalog.uploadById(id)));
      expect(left.map((upload) => upload?.id)).toEqual([...expired.map(() => undefined), kept.id]);
      await expectCondemned(
        catalog,
        expired.slice(1).map(({ blobId }) => blobId),
      );
      expect(await allKeys(catalog)).toHaveLength(1);
    });
  });

  describe("the blob of an open upload", () => {
    test("is known after its lease has ended, and its block is not leased again", async () => {
      const { catalog, uploads } = parts();
      const { blobId } = await uploads.add();
      await catalog.releaseLeasesOf(uploads.owner);
      await catalog.endLease(blockOf(blobId));
      expect(await catalog.leaseState(blockOf(blobId))).toBe("none");
      expect(await catalog.knownBlobs(blockOf(blobId))).toEqual([blobId]);
      expect(await catalog.blobsInUse([blobId])).toEqual([blobId]);
      expect(await catalog.blobsAfter(-1, 10)).toEqual([]);
      expect(await catalog.storedTotals()).toEqual({ files: 0, bytes: 0 });
    });
  });
}
