import { describe, expect, test } from "bun:test";
import { blockOf } from "../../domain/blob-id.ts";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import type { FileRecord } from "../../domain/records.ts";
import { changeMetadata } from "../../semantics/file-metadata.ts";
import type { Catalog } from "../port/catalog.ts";
import type { CatalogFixture } from "./catalog.fixture.ts";
import {
  createUploader,
  DAY,
  expectFault,
  folderAt,
  limitedTo,
  tick,
  versionsOf,
} from "./catalog.fixture.ts";
import { createObjects } from "./objects.fixture.ts";

/** Replaces a file's content twice. Returns its contents, the last one last. */
async function threeContents(catalog: Catalog, folder = ""): Promise<FileRecord[]> {
  const uploader = createUploader(catalog);
  const contents: FileRecord[] = [];
  for (const size of [1, 2, 3]) {
    const wanted = { folder, size, onConflict: "replace", keepReplacedMs: DAY } as const;
    contents.push(await uploader.addOne("f", wanted));
    await tick();
  }
  return contents;
}

const sizesOf = async (catalog: Catalog, id: string): Promise<number[]> =>
  (await versionsOf(catalog, id)).map(({ size }) => size);

export function versionsSuite(fixture: () => CatalogFixture): void {
  describe("versions", () => {
    test("keep replaced contents, latest first", async () => {
      const { catalog } = fixture();
      const [first, second, current] = await threeContents(catalog);
      const versions = await versionsOf(catalog, current?.id ?? "");
      expect(
        versions.map(({ size, modifiedAt, blobId }) => ({ size, modifiedAt, blobId })),
      ).toEqual(
        [second, first].flatMap((file) =>
          file === undefined
            ? []
            : [{ size: file.size, modifiedAt: file.modifiedAt, blobId: file.blobId }],
        ),
      );
      for (const { replacedAt, expiresAt, replacedBy, id, fileId } of versions) {
        expect(expiresAt).toBe(replacedAt + DAY);
        expect(replacedBy.kind).toBe("command");
        expect(fileId).toBe(current?.id ?? "");
        expect((await catalog.versionById(COMMAND_EVERYWHERE, id))?.id).toBe(id);
      }
      expect(await catalog.versionTotals()).toEqual({ versions: 2, bytes: 3 });
      expect(await catalog.condemnedBlobs(10)).toEqual([]);
    });

    test("are listed page by page, also from a version that is gone", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      await threeContents(catalog);
      const wanted = { size: 4, onConflict: "replace", keepReplacedMs: DAY } as const;
      const { id } = await uploader.addOne("f", wanted);
      const all = (await versionsOf(catalog, id)).map((version) => version.id);
      const first = await catalog.listVersions(COMMAND_EVERYWHERE, { fileId: id, limit: 2 });
      expect(first.versions.map(({ size }) => size)).toEqual([3, 2]);
      expect(first.next).toBe(all[1]);
      await catalog.removeVersions(COMMAND_EVERYWHERE, [all[1] ?? ""]);
      await uploader.addOne("f", { ...wanted, size: 5 });
      const rest = { fileId: id, after: first.next, limit: 1 };
      expect(await catalog.listVersions(COMMAND_EVERYWHERE, rest)).toMatchObject({
        versions: [{ id: all[2], size: 1 }],
        next: undefined,
      });
      expect(await catalog.listVersions(COMMAND_EVERYWHERE, { ...rest, after: all[2] })).toEqual({
        versions: [],
        next: undefined,
      });
    });

    test("are not kept unless it is asked for", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const old = await uploader.addOne("f");
      const file = await uploader.addOne("f", { onConflict: "replace" });
      expect(await versionsOf(catalog, file.id)).toEqual([]);
      expect(await catalog.condemnedBlobs(10)).toEqual([old.blobId]);
    });

    test("are kept of objects that the S3 API overwrites", async () => {
      const { catalog } = fixture();
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("bucket"));
      const objects = createObjects(catalog);
      const old = await objects.put("bucket/o", { keepReplacedMs: DAY });
      const file = await objects.put("bucket/o", { keepReplacedMs: DAY });
      expect(await versionsOf(catalog, file.id)).toMatchObject([
        { blobId: old.blobId, s3: old.s3 },
      ]);
    });

    test("are restored, and the content until then becomes one", async () => {
      const { catalog } = fixture();
      const [first, , current] = await threeContents(catalog);
      const id = current?.id ?? "";
      const oldest = (await versionsOf(catalog, id)).at(-1);
      const restored = await catalog.restoreVersion(COMMAND_EVERYWHERE, {
        id: oldest?.id ?? "",
        keepMs: DAY,
      });
      expect(restored).toMatchObject({ id, size: 1, blobId: first?.blobId, name: "f" });
      expect(restored.modifiedAt).toBeGreaterThan(current?.modifiedAt ?? 0);
      expect(await catalog.fileById(COMMAND_EVERYWHERE, id)).toEqual(restored);
      expect((await sizesOf(catalog, id)).sort()).toEqual([2, 3]);
      await expectFault(
        catalog.restoreVersion(COMMAND_EVERYWHERE, { id: oldest?.id ?? "", keepMs: DAY }),
        "not_found",
      );
      await expectFault(
        catalog.restoreVersion(COMMAND_EVERYWHERE, { id: "nobody", keepMs: DAY }),
        "not_found",
      );
    });

    test("give back what belongs to the content, and leave the file's metadata", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const metadata = (fields: Record<string, string>) => changeMetadata(null, fields);
      const replace = { onConflict: "replace", keepReplacedMs: DAY } as const;
      await uploader.addOne("f", {
        mimeType: "text/css",
        visibility: "private",
        metadata: metadata({ contentEncoding: "gzip", cacheControl: "no-cache", "x-old": "1" }),
      });
      const own = { contentDisposition: "inline", cacheControl: "max-age=9" };
      const { id } = await uploader.addOne("f", {
        ...replace,
        mimeType: "text/plain",
        namedVisibility: "public",
        metadata: metadata({ ...own, contentEncoding: "br" }),
      });
      const restore = async () => {
        const [version] = await versionsOf(catalog, id);
        return catalog.restoreVersion(COMMAND_EVERYWHERE, { id: version?.id ?? "", keepMs: DAY });
      };
      expect(await restore()).toMatchObject({
        mimeType: "text/css",
        visibility: "public",
        metadata: metadata({ ...own, contentEncoding: "gzip" }),
      });
      expect((await restore()).metadata).toBe(metadata({ ...own, contentEncoding: "br" }));
      await uploader.addOne("f", { ...replace, metadata: metadata(own) });
      await uploader.addOne("f", { ...replace, metadata: metadata({ contentEncoding: "zstd" }) });
      expect((await restore()).metadata).toBeNull();
    });

    test("have blobs that are known, in use and stored", async () => {
      const { catalog } = fixture();
      const contents = await threeContents(catalog);
      const blobs = contents.map(({ blobId }) => blobId);
      expect((await catalog.knownBlobs(blockOf(blobs[0] ?? expect.unreachable()))).sort()).toEqual(
        blobs.toSorted(),
      );
      expect((await catalog.blobsInUse(blobs)).sort()).toEqual(blobs.toSorted());
      const stored = await catalog.blobsAfter(-1, 10);
      expect(stored.map(({ blobId, size }) => [blobId, size])).toEqual(
        contents.map(({ blobId, size }) => [blobId, size]),
      );
      for (const [index, { blobId }] of contents.entries()) {
        expect((await catalog.blobsAfter(blobId - 1, 1))[0]?.blobId).toBe(blobId);
        expect(await catalog.recordOfBlob(blobId)).toMatchObject({ size: index + 1, key: "f" });
      }
      expect(await catalog.storedTotals()).toEqual({ files: 3, bytes: 6 });
      expect((await catalog.countFiles("", 10)).types).toMatchObject([{ files: 1, bytes: 3 }]);
    });

    test("get digests, and are dropped when their blob is lost", async () => {
      const { catalog } = fixture();
      const [first, second, current] = await threeContents(catalog);
      if (first === undefined || second === undefined || current === undefined) {
        throw new Error("No files.");
      }
      const { id } = current;
      const sha256 = "a".repeat(64) as never;
      await catalog.addDigests([{ fileId: id, blobId: first.blobId, sha256 }]);
      expect((await versionsOf(catalog, id)).map((each) => each.sha256)).toEqual([null, sha256]);
      const lost = [{ fileId: id, blobId: second.blobId }];
      expect(await catalog.dropRecords(lost)).toEqual([second.blobId]);
      expect(await sizesOf(catalog, id)).toEqual([1]);
      expect(await catalog.condemnedBlobs(10)).toEqual([]);
      expect(await catalog.dropRecords([{ fileId: id, blobId: current.blobId }])).toEqual([
        current.blobId,
      ]);
      expect(await catalog.condemnedBlobs(10)).toEqual([first.blobId]);
    });

    test("are removed by their ids, and when their time is over", async () => {
      const { catalog } = fixture();
      const [, , current] = await threeContents(catalog);
      const id = current?.id ?? "";
      const [latest] = await versionsOf(catalog, id);
      expect(
        await catalog.removeVersions(COMMAND_EVERYWHERE, ["nobody", latest?.id ?? ""]),
      ).toEqual([latest?.id ?? ""]);
      expect(await catalog.condemnedBlobs(10)).toEqual([latest?.blobId as never]);
      const uploader = createUploader(catalog);
      await uploader.addOne("f", { onConflict: "replace", keepReplacedMs: 0 });
      expect(await sizesOf(catalog, id)).toEqual([3, 1]);
      while (await catalog.expireTrash(1));
      expect(await sizesOf(catalog, id)).toEqual([1]);
      expect((await catalog.condemnedBlobs(10)).length).toBe(2);
    });

    test("go with their file, at once or in a removed folder", async () => {
      const { catalog } = fixture();
      const [, , lone] = await threeContents(catalog);
      await threeContents(catalog, "x/y");
      await catalog.removeFiles(COMMAND_EVERYWHERE, [lone?.id ?? ""]);
      expect((await catalog.condemnedBlobs(10)).length).toBe(3);
      await catalog.removeFolder(COMMAND_EVERYWHERE, (await folderAt(catalog, "x")).id);
      expect(await catalog.blobsAfter(-1, 10)).toEqual([]);
      while (await catalog.emptyRemovedFolders(1));
      expect((await catalog.condemnedBlobs(10)).length).toBe(6);
      expect(await catalog.versionTotals()).toEqual({ versions: 0, bytes: 0 });
    });

    test("stay with their file in the trash, and come back with it", async () => {
      const { catalog } = fixture();
      const [, , current] = await threeContents(catalog, "x");
      const id = current?.id ?? "";
      const versions = await versionsOf(catalog, id);
      const [latest] = versions;
      await catalog.trashFiles(COMMAND_EVERYWHERE, { ids: [id], keepMs: DAY });
      expect(await versionsOf(catalog, id)).toEqual([]);
      expect(await catalog.versionById(COMMAND_EVERYWHERE, latest?.id ?? "")).toBeUndefined();
      const version = { id: latest?.id ?? "", keepMs: DAY };
      await expectFault(catalog.restoreVersion(COMMAND_EVERYWHERE, version), "not_found");
      expect(await catalog.removeVersions(COMMAND_EVERYWHERE, [version.id])).toEqual([]);
      await catalog.restoreTrash(COMMAND_EVERYWHERE, { ids: [id] });
      expect(await versionsOf(catalog, id)).toEqual(versions);
      await catalog.trashFiles(COMMAND_EVERYWHERE, { ids: [id], keepMs: DAY });
      await catalog.purgeTrash(COMMAND_EVERYWHERE, { ids: [id] });
      expect((await catalog.condemnedBlobs(10)).length).toBe(3);
    });

    test("are missing outside the limit of the caller", async () => {
      const { catalog } = fixture();
      const [, , current] = await threeContents(catalog, "x");
      const id = current?.id ?? "";
      const y = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("y"));
      const [latest] = await versionsOf(catalog, id);
      const caller = limitedTo([y.id]);
      expect(await versionsOf(catalog, id, caller)).toEqual([]);
      expect(await catalog.versionById(caller, latest?.id ?? "")).toBeUndefined();
      expect(await catalog.removeVersions(caller, [latest?.id ?? ""])).toEqual([]);
      const input = { id: latest?.id ?? "", keepMs: DAY };
      await expectFault(catalog.restoreVersion(caller, input), "not_found");
      await catalog.changeFile(COMMAND_EVERYWHERE, { id, name: parseName("g"), folderId: y.id });
      expect(await versionsOf(catalog, id, caller)).toHaveLength(2);
    });
  });
}
