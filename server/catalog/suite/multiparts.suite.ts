import { describe, expect, test } from "bun:test";
import { blockOf } from "../../domain/blob-id.ts";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import type { BlobId } from "../../domain/records.ts";
import type { MultipartRecord } from "../../semantics/s3/multipart.ts";
import { newId } from "../engine/ids.ts";
import type { MultipartListRequest, NewMultipart } from "../port/multiparts.ts";
import { type CatalogFixture, expectFault } from "./catalog.fixture.ts";
import { createMultiparts, PART_SIZE } from "./multiparts.fixture.ts";
import { expectCondemned, HOUR, maker } from "./uploads.fixture.ts";

export function multipartsSuite(fixture: () => CatalogFixture): void {
  async function begin() {
    const { catalog } = fixture();
    await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("bucket"));
    return { catalog, multiparts: createMultiparts(catalog) };
  }

  const blobOf = ({ blobId }: { readonly blobId: BlobId | null }): BlobId => {
    if (blobId === null) throw new Error("There is no blob.");
    return blobId;
  };

  describe("multipart uploads", () => {
    test("are stored with everything, and found by id", async () => {
      const { catalog, multiparts } = await begin();
      const attributes: MultipartRecord["attributes"] = {
        mimeType: "a/b",
        metadata: null,
        visibility: "public",
        checksumAlgorithm: "CRC32C",
        checksumType: "COMPOSITE",
      };
      const upload = await multiparts.add("bucket/a/b", { attributes });
      expect(upload).toMatchObject({
        bucket: "bucket",
        key: "bucket/a/b",
        maker,
        attributes,
        state: "open",
        partSize: null,
        fileId: null,
        etag: null,
      });
      const apart = await multiparts.add("bucket/a/b", { blobId: null });
      expect(apart.blobId).toBeNull();
      expect(await catalog.multipartById("nothing")).toBeUndefined();
    });

    test("need the lease of their blob", async () => {
      const { catalog, multiparts } = await begin();
      const blobId = await multiparts.takeBlob();
      await catalog.releaseLease(blockOf(blobId));
      await expectFault(multiparts.add("bucket/a", { blobId }), "unavailable");
    });

    test("are limited for each maker, counting the unfinished ones", async () => {
      const { catalog, multiparts } = await begin();
      const upload = await multiparts.add("bucket/a");
      await multiparts.add("bucket/b");
      const another = async (changes: Partial<NewMultipart> = {}) => {
        const id = newId(Date.now());
        const blobId = await multiparts.takeBlob();
        const { owner } = multiparts;
        return catalog.addMultipart({ ...upload, id, blobId, owner, ...changes }, 2);
      };
      await expectFault(another(), "rate_limited", "at most 2");
      await another({ maker: { ...maker, id: "another" } });
      await catalog.abortMultipart(upload.id);
      await another();
      await catalog.abortMultipart(upload.id);
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, () => another({ maker: { ...maker, id: "a third" } })),
      );
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    });

    test("end when their bucket is renamed or moved", async () => {
      const { catalog, multiparts } = await begin();
      const bucket = await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("bucket"));
      const other = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("other"));
      const id = bucket?.id ?? "";
      const kept = await multiparts.add("other/a");
      const ended: BlobId[] = [];
      for (const change of [{ name: parseName("renamed") }, { parentId: other.id }]) {
        const upload = await multiparts.add(
          `${(await catalog.folderById(COMMAND_EVERYWHERE, id))?.key}/a`,
        );
        await catalog.changeFolder(COMMAND_EVERYWHERE, { id, visibility: "private" });
        expect(await multiparts.find(upload.id)).toEqual(upload);
        await catalog.changeFolder(COMMAND_EVERYWHERE, { id, ...change });
        expect(await catalog.multipartById(upload.id)).toBeUndefined();
        ended.push(blobOf(upload));
        await expectCondemned(catalog, ended);
      }
      expect(await multiparts.find(kept.id)).toEqual(kept);
    });

    test("keep their blobs known until they are aborted", async () => {
      const { catalog, multiparts } = await begin();
      const upload = await multiparts.add("bucket/a");
      await multiparts.storeInPlace(upload.id, 1);
      const part = await multiparts.storeApart(upload.id, 2);
      const blobs = [blobOf(upload), blobOf(part)];
      expect((await catalog.knownBlobs(blockOf(blobOf(upload)))).toSorted()).toEqual(blobs);
      expect((await catalog.blobsInUse(blobs)).toSorted()).toEqual(blobs);
      expect(await catalog.abortMultipart(upload.id)).toBe(true);
      expect(await catalog.abortMultipart(upload.id)).toBe(false);
      expect(await catalog.multipartById(upload.id)).toBeUndefined();
      expect(await catalog.blobsInUse(blobs)).toEqual([]);
      await expectCondemned(catalog, blobs);
      await expectFault(multiparts.claim(upload.id, 3), "not_found");
      await expectFault(multiparts.store(upload.id, 3), "not_found");
    });

    test("are removed when they expire, with their bucket, and with the key that began them", async () => {
      const { catalog, multiparts } = await begin();
      const now = Date.now();
      const old = await multiparts.add("bucket/old", { expiresAt: now - 1 });
      const recent = await multiparts.add("bucket/recent");
      expect(await catalog.removeExpiredMultiparts(now, 1)).toBe(true);
      expect(await catalog.removeExpiredMultiparts(now, 1)).toBe(false);
      expect(await catalog.multipartById(old.id)).toBeUndefined();
      expect((await multiparts.find(recent.id)).id).toBe(recent.id);
      await catalog.addApiKey({
        id: maker.id ?? "",
        hash: "h",
        name: "n",
        prefix: "p",
        createdAt: 1,
        lastUsedAt: null,
        expiresAt: null,
        actions: ["write"],
        parentId: null,
        folder: null,
      });
      await catalog.removeApiKey({ id: maker.id ?? "" });
      expect(await catalog.multipartById(recent.id)).toBeUndefined();
      const last = await multiparts.add("bucket/last");
      await catalog.removeBucket(COMMAND_EVERYWHERE, parseKey("bucket"));
      expect(await catalog.multipartById(last.id)).toBeUndefined();
      await expectCondemned(catalog, [old, recent, last].map(blobOf));
    });

    test("go with the folder of their bucket, and stay when another folder goes", async () => {
      const { catalog, multiparts } = await begin();
      const upload = await multiparts.add("bucket/a/b");
      const inside = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("bucket/a"));
      await catalog.removeFolder(COMMAND_EVERYWHERE, inside.id);
      expect(await catalog.multipartById(upload.id)).toBeDefined();
      const bucket = await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("bucket"));
      await catalog.removeFolder(COMMAND_EVERYWHERE, bucket?.id ?? "");
      expect(await catalog.multipartById(upload.id)).toBeUndefined();
      await expectCondemned(catalog, [upload].map(blobOf));
    });

    test("are listed by key and id, from any place on", async () => {
      const { catalog, multiparts } = await begin();
      const keys = ["b", "a/x", "a-", "b", "a/y", "😀", "\uffee", "b"];
      const all: MultipartRecord[] = [];
      for (const key of keys) all.push(await multiparts.add(`bucket/${key}`));
      await multiparts.add("other/a");
      const order = (a: MultipartRecord, b: MultipartRecord) =>
        Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)) || (a.id < b.id ? -1 : 1);
      const sorted = all.toSorted(order);
      const list = async (wanted: Partial<MultipartListRequest> = {}): Promise<string[]> => {
        const bucket = parseKey("bucket");
        const found = await catalog.multipartsAfter({
          bucket,
          prefix: "bucket/",
          limit: 100,
          ...wanted,
        });
        return found.map(({ id }) => id);
      };
      const ids = sorted.map(({ id }) => id);
      expect(await list()).toEqual(ids);
      expect(await list({ limit: 3 })).toEqual(ids.slice(0, 3));
      for (const [index, after] of sorted.entries()) {
        expect(await list({ after })).toEqual(ids.slice(index + 1));
      }
      expect(await list({ after: { key: "bucket/b", id: "" } })).toEqual(ids.slice(-2));
      expect(await list({ prefix: "bucket/a/" })).toEqual(
        sorted.filter(({ key }) => key.startsWith("bucket/a/")).map(({ id }) => id),
      );
    });
  });

  describe("parts", () => {
    test("are in place if they fit and nothing else is there", async () => {
      const { multiparts } = await begin();
      const upload = await multiparts.add("bucket/a");
      expect(await multiparts.claim(upload.id, 4, 100)).toBeUndefined();
      expect(await multiparts.claim(upload.id, 2, PART_SIZE, "first")).toEqual({
        blobId: blobOf(upload),
        offset: PART_SIZE,
      });
      expect((await multiparts.find(upload.id)).partSize).toBe(PART_SIZE);
      expect(await multiparts.claim(upload.id, 2, PART_SIZE, "second")).toBeUndefined();
      expect(await multiparts.claim(upload.id, 1, PART_SIZE + 1)).toBeUndefined();
      expect((await multiparts.claim(upload.id, 3, 100))?.offset).toBe(2 * PART_SIZE);
      await multiparts.store(upload.id, 2, {}, "first");
      expect(await multiparts.claim(upload.id, 2)).toBeUndefined();
    });

    test("may be written at a place that was given back", async () => {
      const { catalog, multiparts } = await begin();
      const upload = await multiparts.add("bucket/a");
      await multiparts.claim(upload.id, 1, PART_SIZE, "first");
      await catalog.releasePart({ uploadId: upload.id, claim: "first" });
      await expectFault(multiparts.store(upload.id, 1, {}, "first"), "not_found");
      expect(await multiparts.claim(upload.id, 1, PART_SIZE, "second")).toBeDefined();
      await catalog.releasePart({ uploadId: "nothing", claim: "second" });
    });

    test("replace earlier ones of the same number, whose blobs are condemned", async () => {
      const { catalog, multiparts } = await begin();
      const upload = await multiparts.add("bucket/a");
      const first = await multiparts.storeApart(upload.id, 7, 10);
      const second = await multiparts.storeApart(upload.id, 7, 20);
      await multiparts.storeInPlace(upload.id, 1);
      const third = await multiparts.storeApart(upload.id, 1, 30);
      await expectCondemned(catalog, [blobOf(first)]);
      expect(await catalog.partsAfter(upload.id, 0, 10)).toEqual([third, second]);
      expect(await catalog.partsAfter(upload.id, 1, 10)).toEqual([second]);
      expect(await catalog.partsAfter(upload.id, 0, 1)).toEqual([third]);
    });

    test("need the lease of their own blob", async () => {
      const { catalog, multiparts } = await begin();
      const upload = await multiparts.add("bucket/a");
      const blobId = await multiparts.takeBlob();
      await catalog.releaseLease(blockOf(blobId));
      await expectFault(multiparts.store(upload.id, 1, { blobId }), "unavailable");
    });
  });

  describe("completing a multipart upload", () => {
    test("uses the blob of the upload if all parts are in place", async () => {
      const { catalog, multiparts } = await begin();
      const upload = await multiparts.add("bucket/deep/a");
      const parts = [
        await multiparts.storeInPlace(upload.id, 1),
        await multiparts.storeInPlace(upload.id, 2),
        await multiparts.storeInPlace(upload.id, 3, 5),
      ];
      expect(await catalog.beginAssembly({ uploadId: upload.id, parts })).toBe("in place");
      expect(await multiparts.claim(upload.id, 4)).toBeUndefined();
      const file = await multiparts.complete(upload, parts, blobOf(upload));
      expect(await catalog.fileByKey(COMMAND_EVERYWHERE, upload.key)).toEqual(file);
      await expectCondemned(catalog, []);
      expect(await multiparts.find(upload.id)).toMatchObject({
        state: "finished",
        fileId: file.id,
        etag: `${"0d".repeat(16)}-3`,
      });
      expect(await catalog.partsAfter(upload.id, 0, 10)).toEqual([]);
      expect(await catalog.abortMultipart(upload.id)).toBe(false);
      expect(
        await catalog.multipartsAfter({
          bucket: upload.bucket,
          prefix: "",
          limit: 9,
        }),
      ).toEqual([]);
      await catalog.removeExpiredMultiparts(Date.now() + 2 * HOUR, 9);
      await expectCondemned(catalog, []);
    });

    test.each([
      ["a part is missing", [1, 3], []],
      ["a part is not chosen", [1, 2], [3]],
      ["the first part is missing", [2], []],
    ])("needs a copy if %s", async (_, chosen, others) => {
      const { catalog, multiparts } = await begin();
      const upload = await multiparts.add("bucket/a");
      const parts = [];
      for (const number of chosen) parts.push(await multiparts.storeInPlace(upload.id, number));
      for (const number of others) await multiparts.storeInPlace(upload.id, number);
      expect(await catalog.beginAssembly({ uploadId: upload.id, parts })).toBe("apart");
    });

    test("needs a copy while a part is being written, and if one has a blob of its own", async () => {
      const { catalog, multiparts } = await begin();
      const writing = await multiparts.add("bucket/a");
      const parts = [await multiparts.storeInPlace(writing.id, 1)];
      await multiparts.claim(writing.id, 2);
      expect(await catalog.beginAssembly({ uploadId: writing.id, parts })).toBe("apart");
      const mixed = await multiparts.add("bucket/a");
      const mixedParts = [
        await multiparts.storeInPlace(mixed.id, 1),
        await multiparts.storeApart(mixed.id, 2),
      ];
      const wanted = { uploadId: mixed.id, parts: mixedParts };
      expect(await catalog.beginAssembly(wanted)).toBe("apart");
      const blobId = await multiparts.takeBlob();
      await multiparts.complete(mixed, mixedParts, blobId);
      await expectCondemned(catalog, [
        blobOf(mixed),
        ...mixedParts.flatMap((each) => each.blobId ?? []),
      ]);
      expect((await catalog.fileByKey(COMMAND_EVERYWHERE, mixed.key))?.blobId).toBe(blobId);
    });

    test("fails if a chosen part was replaced, and leaves everything as it was", async () => {
      const { catalog, multiparts } = await begin();
      const upload = await multiparts.add("bucket/a");
      const old = await multiparts.storeApart(upload.id, 1);
      const current = await multiparts.storeApart(upload.id, 1);
      const blobId = await multiparts.takeBlob();
      await expectFault(multiparts.complete(upload, [old], blobId), "gone");
      const expect_ = { expect: "present" } as const;
      await expectFault(multiparts.complete(upload, [current], blobId, expect_), "not_found");
      expect(await catalog.fileByKey(COMMAND_EVERYWHERE, upload.key)).toBeUndefined();
      expect(await catalog.partsAfter(upload.id, 0, 9)).toEqual([current]);
      await multiparts.complete(upload, [current], blobId);
    });

    test("gives the same answer again, and no other one", async () => {
      const { catalog, multiparts } = await begin();
      const upload = await multiparts.add("bucket/a");
      const parts = [await multiparts.storeInPlace(upload.id, 1)];
      const file = await multiparts.complete(upload, parts, blobOf(upload));
      expect(await multiparts.complete(upload, parts, await multiparts.takeBlob())).toEqual(file);
      const other = { etag: "other" };
      await expectFault(multiparts.complete(upload, parts, blobOf(upload), other), "not_found");
      expect(await catalog.beginAssembly({ uploadId: upload.id, parts })).toMatchObject({
        state: "finished",
        fileId: file.id,
      });
      await catalog.removeFiles(COMMAND_EVERYWHERE, [file.id]);
      await expectFault(multiparts.complete(upload, parts, blobOf(upload)), "not_found");
    });

    test("many at once make one object and give one answer", async () => {
      const { catalog, multiparts } = await begin();
      const upload = await multiparts.add("bucket/new/a");
      const parts = [await multiparts.storeApart(upload.id, 1)];
      const blobs = await Promise.all(Array.from({ length: 16 }, () => multiparts.takeBlob()));
      const before = await catalog.feedEnd();
      const files = await Promise.all(
        blobs.map((blobId) => multiparts.complete(upload, parts, blobId)),
      );
      expect(new Set(files.map(({ blobId }) => blobId)).size).toBe(1);
      const feed = await catalog.changesAfter(before, 100);
      expect(feed.map(({ change }): string => change.kind)).toEqual([
        "folder.created",
        "file.created",
      ]);
    });

    test("needs its bucket", async () => {
      const { multiparts } = await begin();
      const upload = await multiparts.add("nothing/a");
      const parts = [await multiparts.storeInPlace(upload.id, 1)];
      await expectFault(multiparts.complete(upload, parts, blobOf(upload)), "not_found");
    });
  });
}
