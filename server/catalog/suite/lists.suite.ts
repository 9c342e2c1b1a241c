import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { naturalName } from "../../../contract/text/natural-name.ts";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { positionAfter } from "../../domain/list-position.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import type { FileRecord, Page } from "../../domain/records.ts";
import { ORDERS } from "../../domain/records.ts";
import { parseSha256 } from "../../domain/sha256.ts";
import type { CatalogFixture } from "./catalog.fixture.ts";
import { createUploader, DAY, everything, folderAt, listAll } from "./catalog.fixture.ts";

const bytes = (text: string): Buffer => Buffer.from(text, "utf8");

const compare = (a: string | number, b: string | number): number =>
  typeof a === "number" ? a - Number(b) : Buffer.compare(bytes(a), bytes(String(b)));

/** The expected order, computed in memory. */
function sorted(files: readonly FileRecord[], { orderBy, direction }: Page): FileRecord[] {
  const sign = direction === "ASC" ? 1 : -1;
  const value = (file: FileRecord) => {
    if (orderBy === "naturalName") return naturalName(file.name);
    return file[orderBy === "type" ? "mimeType" : orderBy];
  };
  return [...files].sort((a, b) => sign * (compare(value(a), value(b)) || compare(a.id, b.id)));
}

const anyPage: fc.Arbitrary<Page> = fc.record({
  orderBy: fc.constantFrom(...ORDERS),
  direction: fc.constantFrom("ASC", "DESC"),
  offset: fc.nat({ max: 70 }),
  limit: fc.option(fc.nat({ max: 70 })),
});

export function listsSuite(fixture: () => CatalogFixture): void {
  describe("listing files", () => {
    test("follows every order, filter, offset and limit", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      // UTF-16 would put the emoji before the last two.
      const names = ["a", "B", "ä", "😀", "ﬀ", "\uffee", "same", "zz", "z", "a b", "a10", "A2"];
      const folders = ["", "x", "x/y", "xy", "x_"];
      const digests = ["a", "b", "c"].map((digit) => parseSha256(digit.repeat(64)));
      for (const [at, folder] of folders.entries()) {
        for (const [index, name] of names.entries()) {
          const mimeType = ["text/plain", "image/png", "image/gif"][(index + at) % 3] ?? "";
          const size = (index * at) % 4;
          const sha256 = digests[(index + 2 * at) % 4];
          const digested = sha256 === undefined ? {} : { sha256 };
          const file = await uploader.addOne(name, { folder, size, mimeType, ...digested });
          if (index % 3 === 0)
            await catalog.changeFile(COMMAND_EVERYWHERE, { id: file.id, visibility: "private" });
        }
        await Bun.sleep(1);
      }
      const all = await listAll(catalog);
      expect(all.length).toBe(folders.length * names.length);
      const folderIds = await Promise.all(
        folders.map(async (key) => (await folderAt(catalog, key)).id),
      );
      const anyFilter = fc.record(
        {
          folderId: fc.constantFrom(...folderIds, "nobody"),
          name: fc.constantFrom(...[...names, "SAME"].map(parseName)),
          sha256: fc.constantFrom(...digests),
        },
        { requiredKeys: [] },
      );
      await fc.assert(
        fc.asyncProperty(anyFilter, anyPage, async (filter, page) => {
          const matching = all.filter(
            ({ folderId, name, sha256 }) =>
              (filter.folderId ?? folderId) === folderId &&
              (filter.name ?? name) === name &&
              (filter.sha256 ?? sha256) === sha256,
          );
          const end = page.limit === null ? undefined : page.offset + page.limit;
          expect(await listAll(catalog, filter, page)).toEqual(
            sorted(matching, page).slice(page.offset, end),
          );
        }),
        { numRuns: 300 },
      );
    });

    test("continues after any file, even a removed one", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      for (let index = 0; index < 30; index += 1) {
        await uploader.addOne(`${index % 7}`, { folder: `${index}`, size: index % 3 });
      }
      const all = await listAll(catalog);
      for (const orderBy of ORDERS) {
        for (const direction of ["ASC", "DESC"] as const) {
          const page: Page = { ...everything, orderBy, direction };
          const inOrder = sorted(all, page);
          for (const [index, file] of inOrder.entries()) {
            const after = positionAfter(file, orderBy);
            const rest = inOrder.slice(index + 1);
            expect(await listAll(catalog, {}, { ...page, after })).toEqual(rest);
            const part = { ...page, after, offset: 2, limit: 3 };
            expect(await listAll(catalog, {}, part)).toEqual(rest.slice(2, 5));
          }
        }
      }
      const page: Page = { ...everything, orderBy: "size", direction: "ASC" };
      const inOrder = sorted(all, page);
      const [gone, ...rest] = inOrder.slice(10);
      if (gone === undefined) throw new Error("No file.");
      await catalog.removeFiles(COMMAND_EVERYWHERE, [gone.id]);
      const after = positionAfter(gone, "size");
      expect(await listAll(catalog, {}, { ...page, after })).toEqual(rest);
    });

    test("comes in batches, also with a large offset", async () => {
      const { catalog } = fixture();
      const count = 21_500;
      const names = Array.from({ length: count }, (_, index) => `${index}`.padStart(5, "0"));
      await createUploader(catalog).add(names, { folder: "many" });
      const page: Page = { ...everything, limit: 2500 };
      const batches = await Array.fromAsync(catalog.listFiles(COMMAND_EVERYWHERE, {}, page));
      expect(batches.length).toBeGreaterThanOrEqual(3);
      for (const { length } of batches) {
        expect(length).toBeGreaterThan(0);
        expect(length).toBeLessThanOrEqual(1000);
      }
      expect(batches.flat().map(({ name }) => `${name}`)).toEqual(names.slice(0, 2500));
      for (const orderBy of ORDERS) {
        const far = await listAll(catalog, {}, { orderBy, offset: 20_999, limit: 2 });
        expect(far.length).toBe(2);
        if (orderBy !== "name") continue;
        expect(far.map(({ name }) => `${name}`)).toEqual(names.slice(20_999, 21_001));
      }
      expect(await listAll(catalog, {}, { offset: count })).toEqual([]);
      expect(await listAll(catalog, {}, { offset: 10 * count })).toEqual([]);
      expect((await listAll(catalog, {}, { offset: count - 1 })).length).toBe(1);
      expect(
        (await Array.fromAsync(catalog.listFiles(COMMAND_EVERYWHERE, {}, everything))).flat()
          .length,
      ).toBe(count);
    });

    test("lists unchanged files exactly once while others are added and removed", async () => {
      for (const orderBy of ORDERS) {
        for (const direction of ["ASC", "DESC"] as const) {
          const { catalog } = fixture();
          const uploader = createUploader(catalog);
          const folder = `${orderBy}/${direction}`;
          const names = Array.from({ length: 2500 }, (_, index) => `f${index}`);
          const files = await uploader.add(names, { folder });
          const { id: folderId } = await folderAt(catalog, folder);
          const [first, last] = [files.slice(0, 100), files.slice(-100)];
          const seen: string[] = [];
          for await (const batch of catalog.listFiles(
            COMMAND_EVERYWHERE,
            { folderId },
            { ...everything, orderBy, direction },
          )) {
            if (seen.length === 0) {
              await catalog.removeFiles(
                COMMAND_EVERYWHERE,
                [...first, ...last].map(({ id }) => id),
              );
              await uploader.add(["e", "g", "f0"], { folder });
              await catalog.changeFolder(COMMAND_EVERYWHERE, {
                id: (await folderAt(catalog, orderBy)).id,
                name: parseName(`${orderBy}2`),
              });
              await catalog.changeFolder(COMMAND_EVERYWHERE, {
                id: (await folderAt(catalog, `${orderBy}2`)).id,
                name: parseName(orderBy),
              });
            }
            seen.push(...batch.map(({ id }) => id));
          }
          const stayed = files.slice(100, -100).map(({ id }) => id);
          expect(new Set(seen).size).toBe(seen.length);
          expect(new Set(seen).isSupersetOf(new Set(stayed))).toBe(true);
        }
      }
    });

    test("by natural name follows numbers, in any case, also after renames and moves", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const files = await uploader.add(["file10", "File2", "é", "x", "file1", "D"], {
        folder: "a",
      });
      const [{ id: last = "" } = {}, , , { id: x = "" } = {}] = files;
      const [moved] = await uploader.add(["file02"], { folder: "b" });
      const { id: folderId } = await folderAt(catalog, "a");
      const names = async (direction: "ASC" | "DESC") =>
        (await listAll(catalog, { folderId }, { orderBy: "naturalName", direction })).map(
          ({ name }) => `${name}`,
        );
      const before = ["D", "é", "file1", "File2", "file10", "x"];
      expect(await names("ASC")).toEqual(before);
      expect(await names("DESC")).toEqual(before.toReversed());
      await catalog.changeFile(COMMAND_EVERYWHERE, { id: x, name: parseName("FILE9") });
      await catalog.changeFiles(COMMAND_EVERYWHERE, { ids: [moved?.id ?? ""], folderId });
      await catalog.changeFile(COMMAND_EVERYWHERE, { id: last, name: parseName("!") });
      const after = ["!", "D", "é", "file1", "File2", "file02", "FILE9"];
      expect(await names("ASC")).toEqual(after);
      expect(await names("DESC")).toEqual(after.toReversed());
    });

    test("of a folder excludes its subfolders", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      await uploader.addOne("f", { folder: "a/b" });
      await uploader.addOne("g", { folder: "a" });
      const { id } = await folderAt(catalog, "a");
      expect((await listAll(catalog, { folderId: id })).map(({ key }) => key)).toEqual([
        parseKey("a/g"),
      ]);
    });
  });

  describe("listing folders", () => {
    test("lists the direct subfolders by name, in batches", async () => {
      const { catalog } = fixture();
      const names = ["b", "a", "😀", "ﬀ", "A", "ab"];
      for (const name of names)
        await catalog.createFolder(COMMAND_EVERYWHERE, parseKey(`p/${name}/below`));
      const { id } = await folderAt(catalog, "p");
      const folders = (await Array.fromAsync(catalog.listFolders(COMMAND_EVERYWHERE, id))).flat();
      expect(folders.map(({ name }) => `${name}`)).toEqual(["A", "a", "ab", "b", "ﬀ", "😀"]);
      expect(folders[0]).toEqual(await folderAt(catalog, "p/A"));
      const after = await Array.fromAsync(
        catalog.listFolders(COMMAND_EVERYWHERE, id, parseName("ab")),
      );
      expect(after.flat().map(({ name }) => `${name}`)).toEqual(["b", "ﬀ", "😀"]);
      await fixture().makeFolders("q", 2050);
      const many = await Array.fromAsync(
        catalog.listFolders(COMMAND_EVERYWHERE, (await folderAt(catalog, "q")).id),
      );
      expect(many.map(({ length }) => length)).toEqual([1000, 1000, 50]);
      expect(new Set(many.flat().map((folder) => folder.id)).size).toBe(2050);
      expect(await Array.fromAsync(catalog.listFolders(COMMAND_EVERYWHERE, "nobody"))).toEqual([]);
    });

    test("with a peek adds the first four files of each by natural name", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      await uploader.add(["n10", "N2", "a.png", "b", "n1"], { folder: "p/many" });
      const [few] = await uploader.add(["only"], { folder: "p/few", visibility: "private" });
      await uploader.add(["deep"], { folder: "p/none/below" });
      await uploader.add(["beside"], { folder: "p" });
      await uploader.add(["elsewhere"], { folder: "q/few" });
      const { id } = await folderAt(catalog, "p");
      const peeks = async (parentId = id) =>
        (await Array.fromAsync(catalog.listFoldersWithPeek(COMMAND_EVERYWHERE, parentId))).flat();
      const names = async () =>
        (await peeks()).map(({ name, peek }) => [`${name}`, peek.map((file) => `${file.name}`)]);
      expect(await names()).toEqual([
        ["few", ["only"]],
        ["many", ["a.png", "b", "n1", "N2"]],
        ["none", []],
      ]);
      const { peek, ...folder } = (await peeks())[0] ?? { peek: [] };
      expect(folder).toEqual(await folderAt(catalog, "p/few"));
      expect(peek).toEqual(few === undefined ? [] : [few]);

      const [first] = await listAll(catalog, { folderId: (await folderAt(catalog, "p/many")).id });
      await catalog.trashFiles(COMMAND_EVERYWHERE, {
        ids: [first?.id ?? "", few?.id ?? ""],
        keepMs: DAY,
      });
      await catalog.removeFolder(COMMAND_EVERYWHERE, (await folderAt(catalog, "p/none")).id);
      expect(await names()).toEqual([
        ["few", []],
        ["many", ["a.png", "b", "n1", "n10"]],
      ]);
      expect(await peeks("nobody")).toEqual([]);
    });

    test("knows which folders have folders", async () => {
      const { catalog } = fixture();
      await fixture().makeFolders("q", 1250);
      const uploader = createUploader(catalog);
      for (const name of ["0/a", "499/b", "500/c", "1249/d/e"]) {
        await uploader.addOne("file", { folder: `q/${name}` });
      }
      await uploader.addOne("file", { folder: "q/7" });
      const { id } = await folderAt(catalog, "q");
      const list = async () =>
        (await Array.fromAsync(catalog.listFoldersWithFolders(COMMAND_EVERYWHERE, id))).flat();
      const parents = async () =>
        (await list()).filter(({ hasFolders }) => hasFolders).map(({ name }) => `${name}`);
      const folders = (await Array.fromAsync(catalog.listFolders(COMMAND_EVERYWHERE, id))).flat();
      expect((await list()).map(({ hasFolders: _hasFolders, ...folder }) => folder)).toEqual(
        folders,
      );
      expect((await parents()).sort()).toEqual(["0", "1249", "499", "500"]);
      await catalog.removeFolder(COMMAND_EVERYWHERE, (await folderAt(catalog, "q/499/b")).id);
      expect((await parents()).sort()).toEqual(["0", "1249", "500"]);
    });

    test("with a peek lists many folders once, in order", async () => {
      const { catalog } = fixture();
      await fixture().makeFolders("q", 1250);
      const uploader = createUploader(catalog);
      for (const name of ["0", "99", "100", "1249"])
        await uploader.addOne(name, { folder: `q/${name}` });
      const { id } = await folderAt(catalog, "q");
      const folders = (await Array.fromAsync(catalog.listFolders(COMMAND_EVERYWHERE, id))).flat();
      const peeked = (
        await Array.fromAsync(catalog.listFoldersWithPeek(COMMAND_EVERYWHERE, id))
      ).flat();
      expect(peeked.map(({ peek: _peek, ...folder }) => folder)).toEqual(folders);
      const filled = peeked.filter(({ peek }) => peek.length > 0);
      expect(filled.map(({ name, peek }) => [`${name}`, `${peek[0]?.key}`]).sort()).toEqual(
        ["0", "100", "1249", "99"].map((name) => [name, `q/${name}/${name}`]),
      );
    });
  });
}
