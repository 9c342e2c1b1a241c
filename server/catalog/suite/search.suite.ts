import { describe, expect, test } from "bun:test";
import { COMMAND_EVERYWHERE, type SeenBy } from "../../domain/callers/caller.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import { nameMatch } from "../../domain/names/name-match.ts";
import {
  type FileRecord,
  type FolderRecord,
  type ListPosition,
  ORDERS,
} from "../../domain/records.ts";
import type { FileTree } from "../port/file-tree.ts";
import type { FilePlace, RankedSearch } from "../port/search.ts";
import type { CatalogFixture } from "./catalog.fixture.ts";
import { createUploader, folderAt, limitedTo, listAll, recordsFound } from "./catalog.fixture.ts";

function searchFor(text: string, below: string) {
  const match = nameMatch(text);
  if (match === undefined) throw new Error(`${text} can be in no name.`);
  return { match, below: parseKey(below), limit: 1_000_000 };
}

async function files(
  catalog: FileTree,
  text: string,
  below = "",
  {
    caller = COMMAND_EVERYWHERE,
    ...part
  }: { limit?: number; after?: FilePlace; caller?: SeenBy } = {},
): Promise<FileRecord[]> {
  const search = { ...searchFor(text, below), ...part };
  return recordsFound(catalog.findFiles(caller, search));
}

async function folders(
  catalog: FileTree,
  text: string,
  below = "",
  part: { limit?: number; after?: FolderRecord["key"] } = {},
): Promise<FolderRecord[]> {
  const search = { ...searchFor(text, below), ...part };
  return recordsFound(catalog.findFolders(COMMAND_EVERYWHERE, search));
}

/** Between which turns of the event loop, which are for other work, a search compares names. */
async function turnsOfSearch(catalog: FileTree): Promise<number> {
  const search = searchFor("nobody", "");
  const turns = new Set<number>();
  let turn = 0;
  let isRunning = true;
  const nextTurn = (): void => {
    turn += 1;
    if (isRunning) setImmediate(nextTurn);
  };
  nextTurn();
  const matches = (name: string): boolean => {
    turns.add(turn);
    return search.match.matches(name);
  };
  const counted = { ...search, match: { ...search.match, matches } };
  await Array.fromAsync(catalog.findFiles(COMMAND_EVERYWHERE, counted));
  isRunning = false;
  return turns.size;
}

const keys = (found: readonly { key: string }[]): string[] => found.map(({ key }) => `${key}`);

export function searchSuite(fixture: () => CatalogFixture): void {
  describe("searching", () => {
    test("finds parts of names in any case, below a folder, in order", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      for (const folder of ["", "a", "a/x", "ab", "a b/deep", "é"]) {
        await uploader.add(["Photo.JPG", "a%b", "a_b", "axb", "ÉTÉ", "日本語"], { folder });
      }
      const inFolderOrder = ["", "a", "a b/deep", "a/x", "ab", "é"];
      for (const [text, name] of [
        ["photo", "Photo.JPG"],
        ["O.jP", "Photo.JPG"],
        ["a%", "a%b"],
        ["A_B", "a_b"],
        ["été", "ÉTÉ"],
        ["本", "日本語"],
      ] as const) {
        expect(keys(await files(catalog, text))).toEqual(
          inFolderOrder.map((folder) => (folder === "" ? name : `${folder}/${name}`)),
        );
        expect(keys(await files(catalog, text, "a"))).toEqual([`a/${name}`, `a/x/${name}`]);
      }
      expect(await files(catalog, "nobody")).toEqual([]);
      expect(keys(await folders(catalog, "A"))).toEqual(["a", "a b", "ab"]);
      expect(keys(await folders(catalog, "x", "a"))).toEqual(["a/x"]);
      expect(await folders(catalog, "a", "a")).toEqual([]);
      expect(keys(await folders(catalog, "É"))).toEqual(["a b/deep", "é"]);
      const [first] = await folders(catalog, "deep");
      expect(first).toEqual(await folderAt(catalog, "a b/deep"));
      const [file] = await files(catalog, "photo", "a/x");
      if (file === undefined) throw new Error("No file.");
      expect(await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("a/x/Photo.JPG"))).toEqual(file);
    });

    test("ignores accents, and finds whole names with *", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      await uploader.add(["E\u0301clair.txt", "eclair.pdf", "ECLAIR é.PDF", "éa", "z"]);
      const named = async (text: string, limit = 100) =>
        keys(await files(catalog, text, "", { limit }));
      expect(await named("eclair")).toEqual(["ECLAIR é.PDF", "eclair.pdf", "Éclair.txt"]);
      expect(await named("éclair")).toEqual(["ECLAIR é.PDF", "eclair.pdf", "Éclair.txt"]);
      expect(await named("*.pdf")).toEqual(["ECLAIR é.PDF", "eclair.pdf"]);
      expect(await named("e*")).toEqual(["ECLAIR é.PDF", "eclair.pdf", "Éclair.txt", "éa"]);
      // Names with accents that do not match must not use up the limit.
      expect(await named("z", 1)).toEqual(["z"]);
      expect(await named("eclair", 2)).toEqual(["ECLAIR é.PDF", "eclair.pdf"]);
    });

    test("continues after any place, and stops at the limit", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      for (const folder of ["a", "a/b", "b", "c"]) {
        await uploader.add(["1x", "2", "3x", "4x"], { folder });
      }
      const all = await files(catalog, "x");
      expect(all.length).toBe(12);
      for (const [index, { key, name }] of all.entries()) {
        const after = { folder: parseKey(key.slice(0, -name.length)), name };
        expect(await files(catalog, "x", "", { after })).toEqual(all.slice(index + 1));
        const two = await files(catalog, "x", "", { after, limit: 2 });
        expect(two).toEqual(all.slice(index + 1, index + 3));
      }
      const gone = { folder: parseKey("a/c"), name: parseName("z") };
      expect(await files(catalog, "x", "", { after: gone })).toEqual(all.slice(6));
      expect(keys(await folders(catalog, "", "", { after: parseKey("a") }))).toEqual([
        "a/b",
        "b",
        "c",
      ]);
      expect(keys(await folders(catalog, "", "", { limit: 2 }))).toEqual(["a", "a/b"]);
    });

    test("ranks files in any order, page by page, and counts the results", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const names = ["b10.txt", "B2.txt", "é1.txt", "a.txt", "ä.txt", "other"];
      for (const [index, folder] of ["", "z", "a/deep", "a"].entries()) {
        for (const name of names) await uploader.add([name], { folder, size: (7 * index) % 5 });
      }
      const expected = (await listAll(catalog)).filter(({ name }) => name !== "other");
      for (const orderBy of ORDERS) {
        for (const direction of ["ASC", "DESC"] as const) {
          const order = { orderBy, direction };
          const listed = (
            await Array.fromAsync(
              catalog.listFiles(COMMAND_EVERYWHERE, {}, { ...order, offset: 0, limit: null }),
            )
          ).flat();
          const inOrder = keys(listed.filter(({ name }) => name !== "other"));
          const seen: string[] = [];
          for (let after: ListPosition | undefined; ; ) {
            const search = { ...searchFor(".txt", ""), limit: 3, order, after };
            const page = (
              await Array.fromAsync(catalog.rankFiles(COMMAND_EVERYWHERE, search))
            ).flat();
            seen.push(...keys(page.flatMap(({ record }) => record ?? [])));
            const last = page.at(-1);
            if (last === undefined) break;
            after = last.place;
          }
          expect(seen).toEqual(inOrder);
        }
      }
      expect(expected).toHaveLength(20);
      const counted = async (batches: AsyncIterable<number>) =>
        (await Array.fromAsync(batches)).reduce((sum, count) => sum + count, 0);
      expect(
        await counted(catalog.countFoundFiles(COMMAND_EVERYWHERE, searchFor(".txt", ""))),
      ).toBe(20);
      expect(await counted(catalog.countFoundFiles(COMMAND_EVERYWHERE, searchFor("A", "a")))).toBe(
        4,
      );
      expect(await counted(catalog.countFoundFiles(COMMAND_EVERYWHERE, searchFor("é", "")))).toBe(
        8,
      );
      const large = { ...searchFor("*", ""), filter: { minSize: 4 } };
      expect(await counted(catalog.countFoundFiles(COMMAND_EVERYWHERE, large))).toBe(6);
      expect(await counted(catalog.countFoundFolders(COMMAND_EVERYWHERE, searchFor("e", "")))).toBe(
        1,
      );
      const top = await folderAt(catalog, "a/deep");
      const caller = limitedTo([top.id]);
      expect(await counted(catalog.countFoundFiles(caller, searchFor(".txt", "")))).toBe(5);
      expect(await counted(catalog.countFoundFolders(caller, searchFor("", "")))).toBe(1);
    });

    test("ranks files below a folder, with a filter, and within folders", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      for (const [index, folder] of ["", "a", "a/deep", "ab", "b"].entries()) {
        await uploader.addOne("x.txt", { folder, size: 10 - index });
        await uploader.addOne("z.txt", { folder, size: 10 * (index + 1) });
      }
      const order = { orderBy: "size", direction: "DESC" } as const;
      const ranked = async ({
        caller = COMMAND_EVERYWHERE,
        ...part
      }: Partial<RankedSearch> & { caller?: SeenBy }) =>
        keys(
          await recordsFound(catalog.rankFiles(caller, { ...searchFor("*", ""), order, ...part })),
        );
      const below = parseKey("a");
      const inA = ["a/deep/z.txt", "a/z.txt", "a/x.txt", "a/deep/x.txt"];
      expect(await ranked({ below })).toEqual(inA);
      expect(await ranked({ below, filter: { maxSize: 9 } })).toEqual(inA.slice(2));
      expect(await ranked({ below, filter: { maxSize: 9 }, limit: 1 })).toEqual(["a/x.txt"]);
      const [{ id }, deep] = [await folderAt(catalog, "a"), await folderAt(catalog, "a/deep")];
      expect(await ranked({ caller: limitedTo([id]) })).toEqual(inA);
      expect(await ranked({ caller: limitedTo([id]), filter: { minSize: 25 } })).toEqual(
        inA.slice(0, 1),
      );
      // Files outside do not use up the limit.
      expect(await ranked({ caller: limitedTo([id]), limit: 3 })).toEqual(inA.slice(0, 3));
      expect(await ranked({ caller: limitedTo([id, deep.id]), limit: 2 })).toEqual([
        ...["a/deep/z.txt", "a/deep/x.txt"],
      ]);
      expect(keys(await files(catalog, "x", "", { limit: 1, caller: limitedTo([id]) }))).toEqual([
        "a/x.txt",
      ]);
    });

    test("ranks files that change during the search once, where they were found", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const add = (size: number, folder = "") => uploader.addOne(`${size}`, { folder, size });
      const [deleted, moved, replaced] = [await add(1), await add(2), await add(4)];
      await add(3, "z");
      await add(5, "z");
      const order = { orderBy: "size", direction: "ASC" } as const;
      const search = { ...searchFor("*", ""), limit: 4, order };
      const batches = catalog.rankFiles(COMMAND_EVERYWHERE, search)[Symbol.asyncIterator]();
      // The files in the top folder have been read.
      expect(await batches.next()).toEqual({ done: false, value: [] });
      await catalog.removeFiles(COMMAND_EVERYWHERE, [deleted.id]);
      await catalog.changeFile(COMMAND_EVERYWHERE, {
        id: moved.id,
        folderId: (await folderAt(catalog, "z")).id,
      });
      await uploader.addOne("4", { size: 6, onConflict: "replace" });
      const rest = { [Symbol.asyncIterator]: () => batches };
      const hits = (await Array.fromAsync(rest)).flat();
      expect(hits.map(({ place }) => place.value)).toEqual([1, 2, 3, 4]);
      expect(hits.map(({ record }) => record?.key).join()).toBe(",z/2,z/3,4");
      expect(hits.at(-1)).toMatchObject({ place: { id: replaced.id }, record: { size: 6 } });
    });

    test("and measuring yield to other requests between batches", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const range = (length: number) => Array.from({ length }, (_, index) => index);
      await uploader.add(
        range(12_000).map((index) => `${index} Ä.txt`),
        { folder: "top/flat", size: 3 },
      );
      await Promise.all(
        range(1200).map((index) =>
          uploader.add(
            range(9).map((file) => `${file}.txt`),
            { folder: `top/${index % 30}/${index}`, size: index % 5 },
          ),
        ),
      );
      await fixture().makeFolders("many", 5200);
      await uploader.addOne("beside.txt", { folder: "top2" });
      const inTop = (await listAll(catalog)).filter(({ key }) => key.startsWith("top/"));
      expect(inTop.length).toBe(22_800);
      const sum = inTop.reduce((bytes, { size }) => bytes + size, 0);
      expect(await catalog.measure(COMMAND_EVERYWHERE, parseKey("top"))).toEqual({
        files: 22_800,
        folders: 1 + 30 + 1200,
        bytes: sum,
      });
      expect(await catalog.measure(COMMAND_EVERYWHERE, parseKey(""))).toEqual({
        files: 22_801,
        folders: 1 + 1231 + 1 + 5200 + 1,
        bytes: sum + 1,
      });
      expect(await catalog.measure(COMMAND_EVERYWHERE, parseKey("many/17"))).toEqual({
        files: 0,
        folders: 0,
        bytes: 0,
      });

      const found = await files(catalog, "txt", "top");
      expect(new Set(found.map(({ id }) => id)).size).toBe(22_800);
      expect((await files(catalog, "ä", "top")).length).toBe(12_000);
      expect((await files(catalog, "77")).length).toBe(
        inTop.filter(({ name }) => name.includes("77")).length,
      );
      const search = { ...searchFor("nobody", ""), limit: 10 };
      const batches = await Array.fromAsync(catalog.findFiles(COMMAND_EVERYWHERE, search));
      expect(batches.length).toBeGreaterThan(4);
      expect(batches.flat()).toEqual([]);
      // A long text takes longer to compare with each name.
      const long = { ...searchFor("nobody".repeat(20), ""), limit: 10 };
      const longBatches = await Array.fromAsync(catalog.findFiles(COMMAND_EVERYWHERE, long));
      expect(longBatches.length).toBeGreaterThan(4 * batches.length);
      expect(await turnsOfSearch(catalog)).toBeGreaterThan(2);
      // Folders without files are walked in batches too.
      const inMany = { ...searchFor("nobody", "many"), limit: 10 };
      expect(
        (await Array.fromAsync(catalog.findFiles(COMMAND_EVERYWHERE, inMany))).length,
      ).toBeGreaterThan(2);
      expect((await folders(catalog, "", "many")).length).toBe(5200);
    }, 300_000);
  });
}
