import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import { type FileRecord, ORDERS } from "../../domain/records.ts";
import { parseSha256 } from "../../domain/sha256.ts";
import type { Catalog } from "../port/catalog.ts";
import {
  type CatalogFixture,
  createUploader,
  everything,
  folderAt,
  limitedTo,
  listAll,
} from "./catalog.fixture.ts";

/** Lists of files that are limited to some folders. */
export function listsWithinSuite(fixture: () => CatalogFixture): void {
  describe("a list within a folder", () => {
    /** Every page of every order is the same part of the whole list. */
    async function checkPages(catalog: Catalog, folder: string, sizes: readonly number[]) {
      const caller = limitedTo([(await folderAt(catalog, folder)).id]);
      for (const orderBy of ORDERS) {
        for (const direction of ["ASC", "DESC"] as const) {
          const order = { ...everything, orderBy, direction };
          const all = await listAll(catalog, {}, order);
          const expected = all.filter(({ key }) => key.startsWith(`${folder}/`));
          expect(await listAll(catalog, { caller }, order)).toEqual(expected);
          for (const limit of sizes) {
            for (const share of [1 / 3, 2 / 3, 1, 2]) {
              const offset = Math.floor(expected.length * share);
              const page = await listAll(catalog, { caller }, { ...order, offset, limit });
              expect(page).toEqual(expected.slice(offset, offset + limit));
            }
          }
          const named = { name: parseName("same"), caller };
          expect(await listAll(catalog, named, order)).toEqual(
            expected.filter(({ name }) => name === "same"),
          );
        }
      }
    }

    test("of a few folders has every order and page", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const names = Array.from({ length: 130 }, (_, index) => `f${(index * 7) % 130}`);
      for (const [at, folder] of ["a", "b", "a/x", "a/x/y", "ab", "a/z"].entries()) {
        await uploader.add([...names, "same"], { folder, size: (at * 3) % 4 });
      }
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a/empty"));
      await checkPages(catalog, "a", [1, 100, 300]);
    });

    test("of more folders than one statement merges has every order and page", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      await fixture().makeFolders("a", 150);
      await fixture().makeFolders("b", 5);
      for (let at = 0; at < 150; at += 1) {
        const outside = at % 30 === 0 ? [`b/${at / 30}`] : [];
        for (const folder of [`a/${at}`, ...outside]) {
          await uploader.add(["same", `f${(at * 7) % 150}`], { folder, size: (at * 11) % 13 });
        }
      }
      await uploader.add(
        Array.from({ length: 200 }, (_, index) => `m${index}`),
        { folder: "a/7" },
      );
      await checkPages(catalog, "a", [1, 100, 300]);
    });

    test("of very many folders has every order and page", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      await fixture().makeFolders("a", 1100);
      const names = Array.from({ length: 60 }, (_, index) => `f${index}`);
      await uploader.add(["same", ...names], { folder: "a/0", size: 5 });
      // More files of others than a walk passes over.
      for (const folder of ["b", "c"]) {
        const others = Array.from({ length: 1100 }, (_, index) => `e${index}`);
        await uploader.add(others, { folder, size: 3 });
      }
      await uploader.add(["same", ...names], { folder: "a/1099", size: 1 });
      await checkPages(catalog, "a", [1, 100]);
    });

    test("is never older than the last change, inside, outside or above", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const folders = ["p/a", "p/a/x", "p/a/x/y", "p/b", "q"];
      for (const folder of folders) await uploader.add(["one", "two"], { folder });
      const ids: string[] = [];
      for (const key of folders) ids.push((await folderAt(catalog, key)).id);
      const idAt = (at: number): string => ids[at % ids.length] ?? "";
      const caller = limitedTo([idAt(0)]);
      const above = await folderAt(catalog, "p");
      let made = 0;

      const anyFile = async (at: number): Promise<FileRecord> => {
        const all = await listAll(catalog);
        const file = all[at % all.length];
        if (file === undefined) throw new Error("There are no files left.");
        return file;
      };
      const newName = () => {
        made += 1;
        return parseName(`n${made}`);
      };
      const steps: ((one: number, other: number) => Promise<unknown>)[] = [
        async (one) => {
          const folder = await catalog.folderById(COMMAND_EVERYWHERE, idAt(one));
          return uploader.add([newName()], { folder: folder?.key ?? "q" });
        },
        async (one) =>
          catalog.changeFile(COMMAND_EVERYWHERE, { id: (await anyFile(one)).id, name: newName() }),
        async (one, other) =>
          catalog.changeFile(COMMAND_EVERYWHERE, {
            id: (await anyFile(one)).id,
            folderId: idAt(other),
            name: newName(),
          }),
        async (one) =>
          catalog.changeFile(COMMAND_EVERYWHERE, {
            id: (await anyFile(one)).id,
            visibility: "private",
          }),
        async (one) => catalog.removeFiles(COMMAND_EVERYWHERE, [(await anyFile(one)).id]),
        async () => catalog.changeFolder(COMMAND_EVERYWHERE, { id: above.id, name: newName() }),
        async () =>
          catalog.changeFolder(COMMAND_EVERYWHERE, { id: above.id, visibility: "public" }),
        async () => catalog.changeFolder(COMMAND_EVERYWHERE, { id: idAt(0), name: newName() }),
        async (one) =>
          catalog.changeFolder(COMMAND_EVERYWHERE, { id: idAt(1 + (one % 4)), name: newName() }),
        // Moves a subfolder out, or back in.
        async (one) =>
          catalog.changeFolder(COMMAND_EVERYWHERE, {
            id: idAt(2),
            parentId: idAt(one % 2 === 0 ? 1 : 4),
          }),
        async () => catalog.createFolder(COMMAND_EVERYWHERE, parseKey(`other/${newName()}`)),
      ];
      const step = fc.tuple(fc.nat(steps.length - 1), fc.nat(50), fc.nat(50));
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (chosen) => {
          await uploader.add([newName(), newName(), newName()], { folder: "q" });
          for (const [at, one, other] of chosen) {
            await steps[at]?.(one, other);
            const top = await catalog.folderById(COMMAND_EVERYWHERE, idAt(0));
            for (const orderBy of ["createdAt", "name"] as const) {
              const order = { ...everything, orderBy, limit: 100 };
              const all = await listAll(catalog, {}, { ...everything, orderBy });
              const inside = all.filter(({ key }) => key.startsWith(`${top?.key}/`));
              expect(await listAll(catalog, { caller }, order)).toEqual(inside.slice(0, 100));
            }
          }
        }),
        { numRuns: 20 },
      );
    });

    test("by digest has the files inside only", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const sha256 = parseSha256("ab".repeat(32));
      for (const folder of ["a", "ab", "a/b", ""]) {
        await uploader.addOne("same", { folder, sha256 });
        await uploader.addOne("other", { folder });
      }
      const caller = limitedTo([(await folderAt(catalog, "a")).id]);
      const listed = await listAll(catalog, { sha256, caller });
      expect(listed.map(({ key }) => `${key}`)).toEqual(["a/same", "a/b/same"]);
      expect(await listAll(catalog, { sha256, caller }, { offset: 1 })).toEqual(listed.slice(1));
    });

    test("never has a file that is outside, while folders are moved in and out", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const folders = ["a", "a/b", "a/c", "out"];
      for (const folder of folders) {
        const names = Array.from({ length: 300 }, (_, at) => `${folder.replace("/", "-")}-${at}`);
        await uploader.add(names, { folder });
      }
      const [top, moving, out] = await Promise.all(
        ["a", "a/b", "out"].map((key) => folderAt(catalog, key)),
      );
      const caller = limitedTo([top?.id ?? ""]);
      for (const orderBy of ORDERS) {
        let batches = 0;
        for await (const batch of catalog.listFiles(caller, {}, { ...everything, orderBy })) {
          batches += 1;
          const isIn = batches % 2 === 0;
          // The state since before the batch was read: files of the moved folder are listed only if it was in.
          for (const { folderId, key } of batch) {
            expect(folderId).not.toBe(out?.id ?? "");
            if (folderId === moving?.id) expect(key).toStartWith("a/b/");
          }
          const parentId = (isIn ? top?.id : out?.id) ?? "";
          await catalog.changeFolder(COMMAND_EVERYWHERE, { id: moving?.id ?? "", parentId });
        }
        await catalog.changeFolder(COMMAND_EVERYWHERE, {
          id: moving?.id ?? "",
          parentId: top?.id ?? "",
        });
      }
    });
  });
}
