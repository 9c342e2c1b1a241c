import { describe, expect, test } from "bun:test";
import type { Actor } from "../../domain/activity.ts";
import { blockOf } from "../../domain/blob-id.ts";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { MAX_KEY_SEGMENTS, parseKey, parseName } from "../../domain/names/name.ts";
import type { MetadataText } from "../../domain/records.ts";
import { type BatchMember, MAX_BATCH_FILES } from "../../domain/uploads.ts";
import { allKeys, type CatalogFixture, expectFault } from "./catalog.fixture.ts";
import { readFeed } from "./feed.suite.ts";
import { blobsOf, createUploads, expectCondemned, HOUR, maker } from "./uploads.fixture.ts";

export function batchesSuite(fixture: () => CatalogFixture): void {
  const parts = () => {
    const { catalog } = fixture();
    return { catalog, uploads: createUploads(catalog) };
  };

  describe("a batch", () => {
    test("keeps everything it was created with, and counts its members", async () => {
      const { catalog, uploads } = parts();
      const wanted = {
        secretHash: "00".repeat(32),
        maker,
        within: ["one"],
        folder: parseKey("a/b"),
        ...({
          visibility: "private",
          lifetime: null,
          onConflict: "skip",
          createdAt: 5,
          expiresAt: 2 ** 45,
        } as const),
      };
      const id = await uploads.addBatch(wanted);
      const empty = { id, ...wanted, state: "open", files: 0, bytes: 0, result: null } as const;
      expect(await catalog.batchById(id)).toEqual(empty);
      await uploads.seal(id, ["x", "c/d/y"], { size: 2 ** 40 });
      expect(await catalog.batchById(id)).toEqual({ ...empty, files: 2, bytes: 2 ** 41 });
      expect(await catalog.batchById("unknown")).toBeUndefined();
    });

    test("counts among the open batches of its maker, which are limited", async () => {
      const { catalog, uploads } = parts();
      const id = await uploads.addBatch();
      const batch = await catalog.batchById(id);
      if (batch === undefined) throw new Error("The batch is missing.");
      const add = (maker: Actor) =>
        catalog.addBatch({ ...batch, maker, id: Bun.randomUUIDv7() }, { maxOpen: 2 });
      await add(batch.maker);
      await expectFault(add(batch.maker), "rate_limited", "2 open batches");
      const nobody = { kind: "account", id: null, name: null } as const;
      await add(nobody);
      await uploads.commit(id);
      await add(batch.maker);
      await expectFault(add(batch.maker), "rate_limited");
      await add(nobody);
      await expectFault(add(nobody), "rate_limited");
    });

    test("lists its members in the order in which they were added, in pages", async () => {
      const { catalog, uploads } = parts();
      const id = await uploads.addBatch();
      const other = await uploads.addBatch();
      const metadata = "{}" as MetadataText;
      const members = await uploads.seal(id, ["z", "a/b"], { visibility: "private", metadata });
      await uploads.seal(other, ["z"]);
      members.push(...(await uploads.seal(id, ["a/a"])));
      const listed = members.map((member, index) => ({ ...member, number: index + 1 }));
      expect(await catalog.batchMembers(id, 0, 10)).toEqual(listed);
      expect(await catalog.batchMembers(id, 0, 2)).toEqual(listed.slice(0, 2));
      expect(await catalog.batchMembers(id, 2, 2)).toEqual(listed.slice(2));
    });

    test("shows nothing before its commit", async () => {
      const { catalog, uploads } = parts();
      const start = await catalog.feedEnd();
      const id = await uploads.addBatch();
      await uploads.seal(id, ["x", "a/y"]);
      expect(await allKeys(catalog)).toEqual([]);
      expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("site"))).toBeUndefined();
      expect(await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("site/x"))).toBeUndefined();
      expect(await readFeed(catalog, start)).toEqual([]);
      expect(await catalog.storedTotals()).toEqual({ files: 0, bytes: 0 });
    });

    test("keeps the blobs of its members known after their leases have ended", async () => {
      const { catalog, uploads } = parts();
      const id = await uploads.addBatch();
      const blobs = blobsOf(await uploads.seal(id, ["x", "y"]));
      const block = blockOf(blobs[0] ?? (await uploads.takeBlob()));
      await catalog.releaseLease(block);
      await catalog.endLease(block);
      expect(await catalog.knownBlobs(block)).toEqual(blobs);
      expect((await catalog.blobsInUse(blobs)).toSorted()).toEqual(blobs);
    });
  });

  describe("adding to a batch", () => {
    test("adds all members or none", async () => {
      const { catalog, uploads } = parts();
      const id = await uploads.addBatch();
      await uploads.seal(id, ["x"]);
      await expectFault(uploads.seal(id, ["new", "x"]), "conflict", '"x"');
      await expectFault(uploads.seal(id, ["same", "same"]), "conflict", '"same"');
      expect(await catalog.batchById(id)).toMatchObject({ files: 1 });
      expect(await catalog.batchMembers(id, 0, 10)).toHaveLength(1);
    });

    test("refuses a path that is a file and a folder", async () => {
      const { uploads } = parts();
      const id = await uploads.addBatch();
      await uploads.seal(id, ["a/b/c"]);
      await expectFault(uploads.seal(id, ["a/b"]), "conflict", '"a/b"');
      await expectFault(uploads.seal(id, ["a"]), "conflict", '"a"');
      await expectFault(uploads.seal(id, ["a/b/c/d"]), "conflict", '"a/b/c"');
      await expectFault(uploads.seal(id, ["q/r", "q"]), "conflict", '"q"');
      await uploads.seal(id, ["a/b/d", "ab", "a/b0"]);
    });

    test("allows the same path in another batch", async () => {
      const { uploads } = parts();
      await uploads.seal(await uploads.addBatch(), ["a/b"]);
      await uploads.seal(await uploads.addBatch(), ["a"]);
    });

    test("needs leases and an open batch", async () => {
      const { catalog, uploads } = parts();
      const id = await uploads.addBatch();
      const member = await uploads.member("x");
      const input = { id, members: [member], expiresAt: Date.now() + HOUR };
      await expectFault(catalog.addToBatch({ ...input, owner: "another" }), "unavailable");
      await expectFault(uploads.seal("missing", ["x"]), "not_found");
      await uploads.commit(id);
      await expectFault(uploads.seal(id, ["x"]), "gone", "committed");
      await expectFault(uploads.add({ batchId: id, name: parseName("x") }), "gone", "committed");
    });

    test("refuses keys that would be too long below the folder of the batch", async () => {
      const { uploads } = parts();
      const half = Array.from({ length: MAX_KEY_SEGMENTS / 2 }, () => "a").join("/");
      const id = await uploads.addBatch({ folder: parseKey(half) });
      await uploads.seal(id, [half]);
      await expectFault(uploads.seal(id, [`${half}b/c`]), "invalid", `${MAX_KEY_SEGMENTS}`);
      await expectFault(
        uploads.add({ batchId: id, folder: parseKey(half), name: parseName("c") }),
        "invalid",
      );
    });

    test("moves the expiry of the batch forward, never back", async () => {
      const { catalog, uploads } = parts();
      const expiresAt = Date.now() + HOUR;
      const id = await uploads.addBatch({ expiresAt });
      const add = async (path: string, until: number) => {
        const members = [await uploads.member(path)];
        await catalog.addToBatch({ id, members, owner: uploads.owner, expiresAt: until });
        return (await catalog.batchById(id))?.expiresAt;
      };
      expect(await add("a", expiresAt - HOUR)).toBe(expiresAt);
      expect(await add("b", expiresAt + HOUR)).toBe(expiresAt + HOUR);
      const upload = await uploads.add({ batchId: id, name: parseName("c") });
      const epoch = await uploads.claim(upload.id);
      await uploads.save(upload.id, epoch, { expiresAt: expiresAt + 2 * HOUR });
      expect((await catalog.batchById(id))?.expiresAt).toBe(expiresAt + 2 * HOUR);
      await uploads.finish(upload, { epoch, answerUntil: expiresAt + 3 * HOUR });
      expect((await catalog.batchById(id))?.expiresAt).toBe(expiresAt + 3 * HOUR);
    });
  });

  describe("expired batches", () => {
    test("are removed with everything in them", async () => {
      const { catalog, uploads } = parts();
      const now = Date.now();
      const id = await uploads.addBatch({ expiresAt: now });
      const committed = await uploads.addBatch({ folder: parseKey("kept") });
      const members: BatchMember[] = [];
      for (const path of ["a", "b/c"]) members.push(await uploads.member(path));
      await catalog.addToBatch({ id, members, owner: uploads.owner, expiresAt: now });
      await uploads.seal(committed, ["x"]);
      await uploads.commit(committed);
      while (await catalog.removeExpiredUploads(now, 10));
      expect(await catalog.batchById(id)).toBeUndefined();
      expect(await catalog.batchById(committed)).toBeDefined();
      await expectCondemned(catalog, blobsOf(members));
      while (await catalog.removeExpiredUploads(now + 2 * HOUR, 10));
      expect(await catalog.batchById(committed)).toBeUndefined();
      expect(await allKeys(catalog)).toEqual(["kept/x"]);
      await expectCondemned(catalog, blobsOf(members));
    });
  });

  test("an expired upload keeps its batch from a commit that would lack the file", async () => {
    const { catalog, uploads } = parts();
    const now = Date.now();
    const id = await uploads.addBatch({ expiresAt: now + HOUR });
    await uploads.seal(id, ["a"]);
    const name = parseName("b");
    const expired = await uploads.add({ batchId: id, name, expiresAt: now - 1 });
    while (await catalog.removeExpiredUploads(now, 10));
    await expectFault(uploads.commit(id), "conflict", "is not finished");
    expect(await allKeys(catalog)).toEqual([]);
    await uploads.add({ batchId: id, name, expiresAt: now - 1 });
    expect(await catalog.uploadById(expired.id)).toBeUndefined();
    while (await catalog.removeExpiredUploads(now + 2 * HOUR, 10));
    expect(await catalog.batchById(id)).toBeUndefined();
    expect((await catalog.openUploads()).count).toBe(0);
  });

  test("a full batch takes no more files, and appears whole", async () => {
    const { catalog, uploads } = parts();
    const id = await uploads.addBatch();
    for (let start = 0; start < MAX_BATCH_FILES; start += 1000) {
      await uploads.seal(
        id,
        Array.from({ length: 1000 }, (_, index) => `f${(start + index) % 500}/${start + index}`),
      );
    }
    await expectFault(uploads.seal(id, ["one more"]), "too_large", `${MAX_BATCH_FILES}`);
    await expectFault(uploads.add({ batchId: id }), "too_large");
    expect(await uploads.commit(id)).toMatchObject({ added: MAX_BATCH_FILES });
    expect(await catalog.storedTotals()).toMatchObject({ files: MAX_BATCH_FILES });
    expect(await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("site/f499/9999"))).toBeDefined();
  });
}
