import { describe, expect, test } from "bun:test";
import { blobId, blockOf, MAX_BLOCK } from "../../domain/blob-id.ts";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseName, ROOT_KEY } from "../../domain/names/name.ts";
import { CLI_LEASE_PREFIX, CLOSED_SECONDS, LEASE_SECONDS } from "../port/blob-ledger.ts";
import type { CatalogFixture } from "./catalog.fixture.ts";
import { allKeys, createUploader, expectFault } from "./catalog.fixture.ts";

export function leasesSuite(fixture: () => CatalogFixture): void {
  describe("leases", () => {
    test("give each block once", async () => {
      const { catalog } = fixture();
      const blocks = await Promise.all(
        Array.from({ length: 50 }, (_, index) => catalog.leaseBlock(`owner ${index % 3}`)),
      );
      expect(new Set(blocks).size).toBe(50);
      for (const block of blocks) {
        expect(Number.isInteger(block) && block >= 0 && block <= MAX_BLOCK).toBe(true);
      }
    });

    test("addFiles needs a lease", async () => {
      const { catalog } = fixture();
      const blob = await createUploader(catalog, "somebody").takeBlob();
      const add = (owner: string) =>
        catalog.addFiles(COMMAND_EVERYWHERE, {
          folder: ROOT_KEY,
          files: [
            {
              name: parseName("a"),
              mimeType: "",
              size: 0,
              blobId: blob,
              checksum: 0,
              sha256: null,
            },
          ],
          defaultVisibility: "public",
          owner,
        });
      for (const other of ["somebody else", ""]) {
        await expectFault(add(other), "unavailable", "took too long");
      }
      await catalog.endLease(blockOf(blob));
      await expectFault(add("somebody"), "unavailable");
      expect(await allKeys(catalog)).toEqual([]);
    });

    test("expire when they are not renewed, and are released then", async () => {
      const { catalog, age } = fixture();
      const [kept, lost] = [createUploader(catalog, "kept"), createUploader(catalog, "lost")];
      const file = await lost.addOne("before");
      const keptBlock = blockOf((await kept.addOne("mine")).blobId);
      expect(await catalog.releaseExpiredLeases()).toEqual([]);
      await age(LEASE_SECONDS - 5);
      expect(await catalog.releaseExpiredLeases()).toEqual([]);
      await catalog.renewLeases("kept", [keptBlock]);
      await age(10);
      expect(await catalog.releaseExpiredLeases()).toEqual([blockOf(file.blobId)]);
      await expectFault(lost.add(["after"], { folder: "new" }), "unavailable", "took too long");
      await catalog.renewLeases("lost", [blockOf(file.blobId)]);
      await expectFault(lost.add(["after"]), "unavailable");
      // The sweeper may crash: the lease stays released until it is ended.
      expect(await catalog.releaseExpiredLeases()).toEqual([blockOf(file.blobId)]);
      await catalog.endLease(blockOf(file.blobId));
      await catalog.endLease(blockOf(file.blobId));
      expect(await catalog.releaseExpiredLeases()).toEqual([]);
      expect(blockOf((await kept.addOne("later")).blobId)).toBe(keptBlock);
      expect(await allKeys(catalog)).toEqual(["before", "later", "mine"]);
    });

    test("leaseState follows a lease from active to none", async () => {
      const { catalog, age } = fixture();
      const block = await catalog.leaseBlock("owner");
      expect(await catalog.leaseState(block)).toBe("active");
      expect(await catalog.leaseState(block === 0 ? 1 : block - 1)).toBe("none");
      await age(LEASE_SECONDS + 5);
      expect(await catalog.leaseState(block)).toBe("due");
      await age(LEASE_SECONDS);
      expect(await catalog.leaseState(block)).toBe("expired");
      await catalog.renewLeases("owner", [block]);
      expect(await catalog.leaseState(block)).toBe("active");
      await age(LEASE_SECONDS + 5);
      await catalog.releaseExpiredLeases();
      expect(await catalog.leaseState(block)).toBe("released");
      await catalog.renewLeases("owner", [block]);
      expect(await catalog.leaseState(block)).toBe("released");
      await catalog.endLease(block);
      expect(await catalog.leaseState(block)).toBe("none");
    });

    test("a closed block is due once more after a day, and nobody can add to it", async () => {
      const { catalog, age } = fixture();
      const uploader = createUploader(catalog, "owner");
      const block = blockOf((await uploader.addOne("before")).blobId);
      await catalog.closeBlock(block);
      await expectFault(uploader.add(["after"]), "unavailable", "took too long");
      await age(CLOSED_SECONDS - 60);
      expect(await catalog.releaseExpiredLeases()).toEqual([]);
      expect(await catalog.blocksClosedLongAgo()).toEqual([]);
      expect(await catalog.leaseState(block)).toBe("closed");
      await age(120);
      expect(await catalog.blocksClosedLongAgo()).toEqual([block]);
      await catalog.endLease(block);
      expect(await catalog.blocksClosedLongAgo()).toEqual([]);
      expect(await catalog.leaseState(block)).toBe("none");
    });

    test("expire one by one when only some are renewed", async () => {
      const { catalog, age } = fixture();
      const [kept, left] = [await catalog.leaseBlock("owner"), await catalog.leaseBlock("owner")];
      await age(LEASE_SECONDS + 5);
      await catalog.renewLeases("owner", [kept]);
      await catalog.renewLeases("other", [left]);
      await catalog.renewLeases("owner", []);
      expect(await catalog.leaseState(kept)).toBe("active");
      expect(await catalog.leaseState(left)).toBe("due");
      expect(await catalog.releaseExpiredLeases()).toEqual([left]);
    });

    test("are all released when an exclusive catalog opens", async () => {
      const file = await createUploader(fixture().catalog).addOne("a");
      const catalog = await fixture().reopen();
      if (!fixture().isExclusive) {
        expect(await catalog.releaseExpiredLeases()).toEqual([]);
        await fixture().age(LEASE_SECONDS + 5);
      }
      expect(await catalog.releaseExpiredLeases()).toEqual([blockOf(file.blobId)]);
      const fresh = await createUploader(catalog).addOne("b");
      expect(await catalog.releaseExpiredLeases()).toEqual([blockOf(file.blobId)]);
      expect(await catalog.fileById(COMMAND_EVERYWHERE, fresh.id)).toEqual(fresh);
    });

    test("of a command survive a server start, and expire by the clock", async () => {
      const owner = `${CLI_LEASE_PREFIX}me`;
      const mine = createUploader(fixture().catalog, owner);
      const block = blockOf((await mine.addOne("a")).blobId);
      const blob = await mine.takeBlob();
      const catalog = await fixture().reopen();
      expect(await catalog.releaseExpiredLeases()).toEqual([]);
      await catalog.addFiles(COMMAND_EVERYWHERE, {
        folder: ROOT_KEY,
        files: [
          { name: parseName("b"), mimeType: "", size: 0, blobId: blob, checksum: 0, sha256: null },
        ],
        defaultVisibility: "public",
        owner,
      });
      await fixture().age(LEASE_SECONDS + 5);
      expect(await catalog.releaseExpiredLeases()).toEqual([block]);
    });

    test("that are released are lost to their owner", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const file = await uploader.addOne("before");
      await catalog.releaseLease(blockOf(file.blobId));
      await expectFault(uploader.add(["after"]), "unavailable", "took too long");
      await catalog.renewLeases(uploader.owner, [blockOf(file.blobId)]);
      expect(await catalog.leaseState(blockOf(file.blobId))).toBe("released");
      expect(await catalog.releaseExpiredLeases()).toEqual([blockOf(file.blobId)]);
      await catalog.endLease(blockOf(file.blobId));
      await catalog.releaseLease(blockOf(file.blobId));
      expect(await catalog.leaseState(blockOf(file.blobId))).toBe("none");
      expect(await allKeys(catalog)).toEqual(["before"]);
    });

    test("releaseLeasesOf releases all leases of one owner only", async () => {
      const { catalog } = fixture();
      const gone = createUploader(catalog, "gone");
      const other = createUploader(catalog, "other");
      const file = await gone.addOne("before");
      await other.addOne("beside");
      await catalog.releaseLeasesOf("gone");
      await expectFault(gone.add(["after"]), "unavailable", "took too long");
      await other.addOne("on");
      expect(await catalog.releaseExpiredLeases()).toEqual([blockOf(file.blobId)]);
      await catalog.releaseLeasesOf("nobody at all");
      expect((await allKeys(catalog)).sort()).toEqual(["before", "beside", "on"]);
    });

    test("a lost lease of one file fails the whole addFiles", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const names = Array.from({ length: 600 }, (_, index) => `${index}`);
      const files = await uploader.add(names);
      await catalog.endLease(blockOf(files[300]?.blobId ?? blobId(0, 0)));
      const again = files.map(({ name, blobId, size, checksum, sha256, mimeType }) => ({
        name,
        blobId,
        size,
        checksum,
        sha256,
        mimeType,
      }));
      await catalog.removeFiles(
        COMMAND_EVERYWHERE,
        files.map(({ id }) => id),
      );
      const add = catalog.addFiles(COMMAND_EVERYWHERE, {
        folder: ROOT_KEY,
        files: again,
        defaultVisibility: "public",
        owner: uploader.owner,
      });
      await expectFault(add, "unavailable");
      expect(await allKeys(catalog)).toEqual([]);
    });
  });

  describe("backup holds", () => {
    test("last from start to end, independent of other owners", async () => {
      const { catalog } = fixture();
      expect(await catalog.hasBackupHold()).toBe(false);
      await catalog.startBackupHold("a");
      await catalog.startBackupHold("a");
      expect(await catalog.hasBackupHold()).toBe(true);
      await catalog.startBackupHold("b");
      await catalog.endBackupHold("a");
      await catalog.endBackupHold("a");
      expect(await catalog.hasBackupHold()).toBe(true);
      await catalog.endBackupHold("b");
      expect(await catalog.hasBackupHold()).toBe(false);
    });

    test("expire when they are not renewed, and cannot be renewed then", async () => {
      const { catalog, age } = fixture();
      expect(await catalog.renewBackupHold("never taken")).toBe(false);
      await catalog.startBackupHold("kept");
      await catalog.startBackupHold("lost");
      await age(LEASE_SECONDS - 5);
      expect(await catalog.renewBackupHold("kept")).toBe(true);
      await age(10);
      expect(await catalog.renewBackupHold("lost")).toBe(false);
      expect(await catalog.hasBackupHold()).toBe(true);
      await age(LEASE_SECONDS);
      expect(await catalog.hasBackupHold()).toBe(false);
      expect(await catalog.renewBackupHold("kept")).toBe(false);
      expect(await catalog.hasBackupHold()).toBe(false);
    });

    test("survive a server start, but not a boot of the machine", async () => {
      await fixture().catalog.startBackupHold("a");
      const catalog = await fixture().reopen();
      expect(await catalog.hasBackupHold()).toBe(true);
      // As after a boot: the clock is behind the heartbeat.
      await fixture().age(-100);
      expect(await catalog.renewBackupHold("a")).toBe(false);
      expect(await catalog.hasBackupHold()).toBe(false);
    });
  });

  describe("blobs", () => {
    test("are known while a file refers to them and while they are condemned", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const [a, b] = await uploader.add(["a", "b"]);
      if (a === undefined || b === undefined) throw new Error("No files.");
      const block = blockOf(a.blobId);
      const known = async () => (await catalog.knownBlobs(block)).sort();
      expect(await known()).toEqual([a.blobId, b.blobId]);
      await catalog.removeFiles(COMMAND_EVERYWHERE, [a.id]);
      expect(await known()).toEqual([a.blobId, b.blobId]);
      await catalog.forgetCondemnedBlobs([a.blobId]);
      expect(await known()).toEqual([b.blobId]);
      expect(await catalog.knownBlobs(block + 1)).toEqual([]);
      expect(await catalog.condemnedBlobs(10)).toEqual([]);
      await catalog.forgetCondemnedBlobs([]);
    });

    test("are condemned in the order of their removal", async () => {
      const { catalog } = fixture();
      const files = await createUploader(catalog).add(["a", "b", "c"]);
      const order = files.toReversed();
      for (const { id } of order) {
        await catalog.removeFiles(COMMAND_EVERYWHERE, [id]);
        await Bun.sleep(2);
      }
      const condemned = order.map(({ blobId }) => blobId);
      expect(await catalog.condemnedBlobs(2)).toEqual(condemned.slice(0, 2));
      await catalog.forgetCondemnedBlobs(condemned.slice(0, 1));
      expect(await catalog.condemnedBlobs(10)).toEqual(condemned.slice(1));
    });

    test("are counted and summed beyond 32 bits", async () => {
      const { catalog } = fixture();
      expect(await catalog.storedTotals()).toEqual({ files: 0, bytes: 0 });
      const uploader = createUploader(catalog);
      await uploader.add(["a", "b"], { size: 5_000_000_000 });
      await uploader.add(["a"], { folder: "deeper", size: 1 });
      expect(await catalog.storedTotals()).toEqual({ files: 3, bytes: 10_000_000_001 });
    });

    test("the catalog says how large it is", async () => {
      const { catalog } = fixture();
      const before = (await catalog.catalogSize()) ?? 0;
      expect(before).toBeGreaterThan(0);
      await createUploader(catalog).add(Array.from({ length: 2000 }, (_, n) => `${n}`));
      expect((await catalog.catalogSize()) ?? 0).toBeGreaterThan(before);
    });

    test("dropRecords removes records of lost blobs without condemning them", async () => {
      const { catalog } = fixture();
      const files = await createUploader(catalog).add(
        Array.from({ length: 450 }, (_, n) => `${n}`),
      );
      const [kept, other, ...lost] = files;
      if (kept === undefined || other === undefined) throw new Error("No files.");
      const dropped = await catalog.dropRecords([
        ...lost.map(({ id, blobId }) => ({ fileId: id, blobId })),
        { fileId: kept.id, blobId: other.blobId },
        { fileId: "nobody", blobId: other.blobId },
      ]);
      expect(new Set(dropped)).toEqual(new Set(lost.map(({ blobId }) => blobId)));
      expect(dropped).toHaveLength(lost.length);
      expect(await catalog.dropRecords([])).toEqual([]);
      expect(await allKeys(catalog)).toEqual(["0", "1"]);
      expect(await catalog.condemnedBlobs(10)).toEqual([]);
    });

    test("are listed in ascending order", async () => {
      const { catalog } = fixture();
      const uploaders = Array.from({ length: 5 }, (_, index) =>
        createUploader(catalog, `${index}`),
      );
      const files = await Promise.all(
        uploaders.map((uploader, size) => uploader.addOne(`${size}`, { size })),
      );
      const expected = files
        .map(({ id, blobId, size, checksum }) => ({
          blobId,
          size,
          checksum,
          sha256: null,
          fileId: id,
        }))
        .sort((a, b) => a.blobId - b.blobId);
      const first = await catalog.blobsAfter(0, 3);
      expect(first).toEqual(expected.slice(0, 3));
      expect(await catalog.blobsAfter(first.at(-1)?.blobId ?? 0, 3)).toEqual(expected.slice(3));
    });
  });
}
