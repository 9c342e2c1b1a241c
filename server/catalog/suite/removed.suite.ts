import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { blockOf } from "../../domain/blob-id.ts";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { positionAfter } from "../../domain/list-position.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import { nameMatch } from "../../domain/names/name-match.ts";
import type { FileRecord, Page } from "../../domain/records.ts";
import type { Catalog } from "../port/catalog.ts";
import type { CatalogFixture } from "./catalog.fixture.ts";
import {
  allKeys,
  createUploader,
  expectFault,
  folderAt,
  listAll,
  recordsFound,
} from "./catalog.fixture.ts";

const names = (count: number, prefix = "f"): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

/** Empties removed folders in steps of `limit`. Returns the number of steps. */
async function empty(catalog: Catalog, limit: number): Promise<number> {
  let steps = 1;
  while (await catalog.emptyRemovedFolders(limit)) steps += 1;
  return steps;
}

const faults = (catalog: Catalog) => Array.fromAsync(catalog.inspect());

export function removedSuite(fixture: () => CatalogFixture): void {
  describe("a removed folder that is not yet empty", () => {
    test("is invisible to every read, with everything inside", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const kept = await uploader.addOne("kept", { size: 5 });
      const [file] = await uploader.add(names(3), { folder: "a", size: 7 });
      const deep = await uploader.addOne("f0", { folder: "a/b/c", size: 7 });
      if (file === undefined) throw new Error("No file.");
      const folders = [await folderAt(catalog, "a"), await folderAt(catalog, "a/b/c")];
      const root = await folderAt(catalog, "");
      await catalog.removeFolder(COMMAND_EVERYWHERE, folders[0]?.id ?? "");

      for (const { id, key } of [file, deep]) {
        expect(await catalog.fileById(COMMAND_EVERYWHERE, id)).toBeUndefined();
        expect(await catalog.fileByKey(COMMAND_EVERYWHERE, key)).toBeUndefined();
      }
      for (const { id, key } of folders) {
        expect(await catalog.folderById(COMMAND_EVERYWHERE, id)).toBeUndefined();
        expect(await catalog.folderByKey(COMMAND_EVERYWHERE, key)).toBeUndefined();
        expect(await listAll(catalog, { folderId: id })).toEqual([]);
        expect(await Array.fromAsync(catalog.listFolders(COMMAND_EVERYWHERE, id))).toEqual([]);
        expect(
          await catalog.takenName(COMMAND_EVERYWHERE, key, [parseName("f0"), parseName("b")]),
        ).toBeUndefined();
      }
      expect(await Array.fromAsync(catalog.listFolders(COMMAND_EVERYWHERE, root.id))).toEqual([]);
      expect(
        await catalog.takenName(COMMAND_EVERYWHERE, root.key, [parseName("a")]),
      ).toBeUndefined();
      expect(await listAll(catalog)).toEqual([kept]);
      expect(await listAll(catalog, { name: parseName("f0") })).toEqual([]);
      expect(await catalog.storedTotals()).toEqual({ files: 1, bytes: 5 });
      const { types } = await catalog.countFiles("", 100);
      expect(types).toEqual([{ mimeType: kept.mimeType, files: 1, bytes: 5 }]);
      expect(await catalog.countFiles("", 2)).toMatchObject({ last: expect.any(String) });
      expect(await catalog.countFolders("", 100)).toEqual({ count: 1, last: null });
      expect(await catalog.countFolders("", 2)).toMatchObject({ last: expect.any(String) });
      expect(await catalog.measure(COMMAND_EVERYWHERE, root.key)).toEqual({
        files: 1,
        folders: 0,
        bytes: 5,
      });
      for (const text of ["f0", "a", "b", "kept"]) {
        const match = nameMatch(text) ?? expect.unreachable();
        const search = { match, below: root.key, limit: 10 };
        expect(
          (await Array.fromAsync(catalog.findFolders(COMMAND_EVERYWHERE, search))).flat(),
        ).toEqual([]);
        const found = await recordsFound(catalog.findFiles(COMMAND_EVERYWHERE, search));
        expect(found).toEqual(text === "kept" ? [kept] : []);
      }
      expect((await catalog.blobsAfter(0, 100)).map(({ fileId }) => fileId)).toEqual([kept.id]);
      expect(await faults(catalog)).toEqual([]);
    });

    test("can be neither changed nor removed, nor can its content", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const other = await uploader.addOne("other");
      const file = await uploader.addOne("f", { folder: "a/b" });
      const folders = [await folderAt(catalog, "a"), await folderAt(catalog, "a/b")];
      const free = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("free"));
      await catalog.removeFolder(COMMAND_EVERYWHERE, folders[0]?.id ?? "");

      await expectFault(
        catalog.changeFile(COMMAND_EVERYWHERE, { id: file.id, name: parseName("g") }),
        "not_found",
      );
      await expectFault(
        catalog.changeFile(COMMAND_EVERYWHERE, { id: file.id, folderId: free.id }),
        "not_found",
      );
      expect(await catalog.removeFiles(COMMAND_EVERYWHERE, [file.id, other.id])).toMatchObject([
        { id: other.id },
      ]);
      for (const { id } of folders) {
        await expectFault(
          catalog.changeFolder(COMMAND_EVERYWHERE, { id, name: parseName("g") }),
          "not_found",
        );
        await expectFault(
          catalog.changeFolder(COMMAND_EVERYWHERE, { id, visibility: "private" }),
          "not_found",
        );
        await expectFault(
          catalog.changeFolder(COMMAND_EVERYWHERE, { id, parentId: free.id }),
          "not_found",
        );
        await expectFault(
          catalog.changeFolder(COMMAND_EVERYWHERE, { id: free.id, parentId: id }),
          "not_found",
        );
        await expectFault(catalog.removeFolder(COMMAND_EVERYWHERE, id), "not_found");
      }
    });

    test("frees its name and all keys below it", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const ids = new Set<string>();
      const last: FileRecord[] = [];
      for (let round = 0; round < 3; round += 1) {
        last.push(await uploader.addOne("f", { folder: "a/b" }));
        expect(await allKeys(catalog)).toEqual(["a/b/f"]);
        const folder = await folderAt(catalog, round === 1 ? "a/b" : "a");
        ids.add(folder.id);
        await catalog.removeFolder(COMMAND_EVERYWHERE, folder.id);
      }
      expect(ids.size).toBe(3);
      const fresh = await uploader.addOne("f", { folder: "a/b" });
      await empty(catalog, 100);
      expect(await listAll(catalog)).toEqual([fresh]);
      expect((await catalog.condemnedBlobs(10)).sort()).toEqual(
        last.map(({ blobId }) => blobId).sort(),
      );
    });

    test("keeps its blobs known until they are forgotten", async () => {
      const { catalog } = fixture();
      const files = await createUploader(catalog).add(names(5), { folder: "a/b" });
      const blobs = files.map(({ blobId }) => blobId).sort();
      const block = blockOf(blobs[0] ?? files[0]?.blobId ?? expect.unreachable());
      await catalog.removeFolder(COMMAND_EVERYWHERE, (await folderAt(catalog, "a")).id);
      const known = async () => (await catalog.knownBlobs(block)).sort();
      for (let more = true; more; ) {
        expect(await known()).toEqual(blobs);
        more = await catalog.emptyRemovedFolders(1);
      }
      expect(await known()).toEqual(blobs);
      expect((await catalog.condemnedBlobs(10)).sort()).toEqual(blobs);
    });

    test("is emptied in steps, by any caller", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const gone = [
        ...(await uploader.add(names(20), { folder: "a" })),
        ...(await uploader.add(names(20), { folder: "a/b/c" })),
        ...(await uploader.add(names(20), { folder: "x/y" })),
      ];
      await uploader.addOne("kept", { folder: "x" });
      for (const path of ["a", "x/y"]) {
        await catalog.removeFolder(COMMAND_EVERYWHERE, (await folderAt(catalog, path)).id);
      }
      for (let step = 1; step <= 3; step += 1) {
        expect(await catalog.emptyRemovedFolders(10)).toBe(true);
        expect(await faults(catalog)).toEqual([]);
        const condemned = (await catalog.condemnedBlobs(100)).length;
        expect(condemned).toBeGreaterThan((step - 1) * 10 - 3);
        expect(condemned).toBeLessThanOrEqual(step * 10);
      }
      const again = await fixture().reopen();
      expect(await empty(again, 10)).toBeGreaterThanOrEqual(4);
      expect(await again.emptyRemovedFolders(10)).toBe(false);
      expect((await again.condemnedBlobs(100)).sort()).toEqual(
        gone.map(({ blobId }) => blobId).sort(),
      );
      expect(await allKeys(again)).toEqual(["x/kept"]);
      expect(await faults(again)).toEqual([]);
    });

    const aPage: fc.Arbitrary<Page> = fc.record({
      orderBy: fc.constantFrom("name", "size", "type", "createdAt", "updatedAt"),
      direction: fc.constantFrom("ASC", "DESC"),
      offset: fc.oneof(fc.constant(0), fc.nat(2500)),
      limit: fc.option(fc.oneof(fc.nat(250), fc.nat(2500))),
    });

    test("is not listed, wherever its files are in the index", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const add = (folder: string, count: number, prefix: string) =>
        uploader.add(names(count, prefix), { folder, size: count % 7 });
      await add("removed", 7300, "a");
      await add("", 300, "a");
      await add("removed/b", 40, "b");
      await add("c", 1100, "c");
      await add("removed", 40, "c");
      // More than are merged in one statement.
      await Promise.all(names(140, "d").map((name) => add(`many/${name}`, 1, "a")));
      const all = await listAll(catalog);
      const live = all.filter(({ key }) => !key.startsWith("removed/"));
      await catalog.removeFolder(COMMAND_EVERYWHERE, (await folderAt(catalog, "removed")).id);
      const value = ({ orderBy }: Page, file: FileRecord) =>
        [positionAfter(file, orderBy).value ?? "", file.id] as const;
      for (let more = true; more; ) {
        await fc.assert(
          fc.asyncProperty(aPage, async (page) => {
            const sorted = live.toSorted((one, other) => {
              const [a, b] = [value(page, one), value(page, other)];
              const order = a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : a[1] < b[1] ? -1 : 1;
              return page.direction === "ASC" ? order : -order;
            });
            const end = page.limit === null ? undefined : page.offset + page.limit;
            const batches = await Array.fromAsync(catalog.listFiles(COMMAND_EVERYWHERE, {}, page));
            for (const { length } of batches) expect(length > 0 && length <= 1000).toBe(true);
            expect(batches.flat()).toEqual(sorted.slice(page.offset, end));
          }),
          { numRuns: 20 },
        );
        const blobs = live.map(({ blobId }) => blobId).sort((a, b) => a - b);
        const [middle = 0] = blobs.slice(200);
        for (const limit of [1, 150, 2000]) {
          const after = await catalog.blobsAfter(middle, limit);
          expect(after.map(({ blobId }) => blobId)).toEqual(blobs.slice(201, 201 + limit));
        }
        more = await catalog.emptyRemovedFolders(2500);
      }
    });
  });
}
