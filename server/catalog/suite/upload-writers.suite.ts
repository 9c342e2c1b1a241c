import { describe, expect, test } from "bun:test";
import { blockOf } from "../../domain/blob-id.ts";
import { parseName } from "../../domain/names/name.ts";
import { WRITER_SECONDS } from "../port/uploads.ts";
import { allKeys, type CatalogFixture, createUploader, expectFault } from "./catalog.fixture.ts";
import { createUploads, expectCondemned } from "./uploads.fixture.ts";

export function uploadWritersSuite(fixture: () => CatalogFixture): void {
  const parts = () => {
    const { catalog } = fixture();
    return { catalog, uploads: createUploads(catalog) };
  };

  describe("the writer of an upload", () => {
    test("is one at a time, and is asked to stop by the next one", async () => {
      const { catalog, uploads } = parts();
      const { id } = await uploads.add();
      const first = await uploads.claim(id);
      expect(await catalog.renewUpload(id, first)).toBe(true);
      expect(await catalog.claimUpload({ id, owner: "second" })).toBe("busy");
      expect(await catalog.renewUpload(id, first)).toBe(false);
      expect(await uploads.save(id, first, { offset: 7 })).toBe(true);
      expect(await catalog.claimUpload({ id, owner: "second" })).toBe("busy");
      await catalog.releaseUpload(id, first);
      const claim = await catalog.claimUpload({ id, owner: "second" });
      expect(claim).toMatchObject({ upload: { id, offset: 7 } });
      expect(await uploads.save(id, first, { offset: 9 })).toBe(false);
      expect(await catalog.renewUpload(id, first)).toBe(false);
      await catalog.releaseUpload(id, first);
      expect(await catalog.claimUpload({ id, owner: "third" })).toBe("busy");
      expect((await uploads.find(id)).offset).toBe(7);
    });

    test("may release the upload as it saves its progress", async () => {
      const { catalog, uploads } = parts();
      const { id } = await uploads.add();
      const first = await uploads.claim(id);
      expect(await uploads.save(id, first, { offset: 7, release: true })).toBe(true);
      const claim = await catalog.claimUpload({ id, owner: "second" });
      expect(claim).toMatchObject({ upload: { id, offset: 7 } });
      expect(await uploads.save(id, first, { offset: 9, release: true })).toBe(false);
      expect(await catalog.claimUpload({ id, owner: "third" })).toBe("busy");
    });

    test("of several at the same moment is exactly one", async () => {
      const { catalog, uploads } = parts();
      const { id } = await uploads.add();
      const claims = await Promise.all(
        Array.from({ length: 8 }, (_, index) => catalog.claimUpload({ id, owner: `${index}` })),
      );
      expect(claims.filter((claim) => claim !== "busy")).toHaveLength(1);
    });

    test("is replaced when it was silent for too long, and fenced from then on", async () => {
      const { catalog, uploads } = parts();
      const upload = await uploads.add();
      const { id } = upload;
      const first = await uploads.claim(id);
      await fixture().age(WRITER_SECONDS - 2);
      expect(await catalog.renewUpload(id, first)).toBe(true);
      await fixture().age(WRITER_SECONDS - 2);
      expect(await uploads.save(id, first)).toBe(true);
      await fixture().age(WRITER_SECONDS - 2);
      expect(await catalog.claimUpload({ id, owner: "second" })).toBe("busy");
      await fixture().age(4);
      const second = await uploads.claim(id, "second");
      expect(second).toBeGreaterThan(first);
      expect(await uploads.save(id, first)).toBe(false);
      await expectFault(uploads.finish(upload, { epoch: first }), "unavailable");
      expect(await allKeys(catalog)).toEqual([]);
      expect(await catalog.renewUpload(id, second)).toBe(true);
    });

    test("that was asked to stop cannot hold the upload by saving", async () => {
      const { catalog, uploads } = parts();
      const { id } = await uploads.add();
      const first = await uploads.claim(id);
      expect(await catalog.claimUpload({ id, owner: "second" })).toBe("busy");
      await fixture().age(WRITER_SECONDS - 2);
      expect(await uploads.save(id, first)).toBe(true);
      await fixture().age(4);
      expect(await catalog.claimUpload({ id, owner: "second" })).not.toBe("busy");
    });

    test("that nobody replaced may go on after a silence", async () => {
      const { catalog, uploads } = parts();
      const { id } = await uploads.add();
      const epoch = await uploads.claim(id);
      await fixture().age(10 * WRITER_SECONDS);
      expect(await uploads.save(id, epoch)).toBe(true);
      expect(await catalog.claimUpload({ id, owner: "second" })).toBe("busy");
    });

    test("is free once its process has exited", async () => {
      const { catalog, uploads } = parts();
      const { id } = await uploads.add();
      await uploads.claim(id, "worker 1");
      await catalog.releaseLeasesOf("worker 2");
      expect(await catalog.claimUpload({ id, owner: "next" })).toBe("busy");
      await catalog.releaseLeasesOf("worker 1");
      await uploads.claim(id, "next");
    });

    test("of a server that was stopped does not keep the next start waiting", async () => {
      if (!fixture().isExclusive) return;
      const { uploads } = parts();
      const { id } = await uploads.add();
      await uploads.claim(id, "before");
      const reopened = await fixture().reopen();
      await createUploads(reopened).claim(id, "after");
    });

    test("cannot claim a missing upload, and is not needed for a finished one", async () => {
      const { catalog, uploads } = parts();
      expect(await catalog.claimUpload({ id: "missing", owner: "x" })).toBeUndefined();
      expect(await uploads.save("missing", 1)).toBe(false);
      expect(await catalog.renewUpload("missing", 1)).toBe(false);
      await catalog.releaseUpload("missing", 1);
      const upload = await uploads.add();
      await uploads.finish(upload);
      for (const _ of [1, 2]) {
        expect(await catalog.claimUpload({ id: upload.id, owner: "x" })).toMatchObject({
          upload: { state: "finished", offset: 10 },
        });
      }
    });
  });

  describe("saving progress", () => {
    test("stores all of it and keeps what is left out", async () => {
      const { uploads } = parts();
      const { id, ...before } = await uploads.add({ name: null, length: null });
      const epoch = await uploads.claim(id);
      const tailBlobId = await uploads.takeBlob();
      const progress = {
        offset: 2 ** 40,
        checksum: 0xffffffff,
        growth: '{"id":"x"}',
        tailBlobId,
        tailSize: 9,
        expiresAt: 1_900_000_000_000,
        length: 2 ** 41,
        name: parseName("later"),
        contentType: "text/plain",
      };
      expect(await uploads.save(id, epoch, progress)).toBe(true);
      expect(await uploads.find(id)).toEqual({ id, ...before, ...progress });
      await uploads.save(id, epoch, { ...progress, length: undefined, name: undefined });
      expect(await uploads.find(id)).toEqual({ id, ...before, ...progress });
    });

    test("condemns a replaced tail, and needs the lease of a new one", async () => {
      const { catalog, uploads } = parts();
      const { id, blobId } = await uploads.add();
      const epoch = await uploads.claim(id);
      const [first, second] = [await uploads.takeBlob(), await uploads.takeBlob()];
      await uploads.save(id, epoch, { tailBlobId: first, tailSize: 1 });
      await uploads.save(id, epoch, { tailBlobId: first, tailSize: 1 });
      await expectCondemned(catalog, []);
      await uploads.save(id, epoch, { tailBlobId: second, tailSize: 1 });
      await expectCondemned(catalog, [first]);
      const foreign = await createUploader(catalog, "another").takeBlob();
      await expectFault(
        uploads.save(id, epoch, { offset: 9, tailBlobId: foreign, tailSize: 1 }),
        "unavailable",
      );
      expect(await uploads.find(id)).toMatchObject({ offset: 4, tailBlobId: second });
      expect(new Set(await catalog.knownBlobs(blockOf(blobId)))).toEqual(
        new Set([blobId, first, second]),
      );
      expect(await catalog.blobsInUse([first, second, foreign])).toEqual([second]);
      await uploads.save(id, epoch, { tailBlobId: null });
      await expectCondemned(catalog, [first, second]);
    });
  });
}
