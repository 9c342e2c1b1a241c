import { describe, expect, test } from "bun:test";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { ConnectionClosed } from "../../domain/faults/connection-closed.ts";
import { parseKey } from "../../domain/names/name.ts";
import type { Catalog } from "../port/catalog.ts";
import type { CatalogFixture } from "./catalog.fixture.ts";
import { createUploader, folderAt } from "./catalog.fixture.ts";

const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
const names = (count: number): string[] => range(count).map((at) => `${at}.txt`);

/** Measures these folders together, and compares each with what it measures alone. */
async function expectEach(catalog: Catalog, keys: readonly string[]) {
  const folders = await Promise.all(keys.map((key) => folderAt(catalog, key)));
  const each = await catalog.measureEach(
    COMMAND_EVERYWHERE,
    folders.map(({ id }) => id),
  );
  const alone = folders.map(async ({ id, key }) => ({
    id,
    key,
    ...(await catalog.measure(COMMAND_EVERYWHERE, key)),
  }));
  expect(each).toEqual(await Promise.all(alone));
  return each.map(({ files, folders: inside, bytes }) => [files, inside, bytes]);
}

/** The sizes of several folders at once. */
export function measureSuite(fixture: () => CatalogFixture): void {
  describe("folders that are measured together", () => {
    test("have the sizes that they have alone, whatever their number of files and folders", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      await uploader.addOne("a.txt", { size: 7 });
      for (const count of [1, 199, 200, 201, 450]) {
        await uploader.add(names(count), { folder: `own/${count}`, size: 3 });
        await uploader.add(names(count), { folder: `deep/${count}/a/b`, size: 2 });
      }
      for (const count of [1, 198, 199, 200, 201]) {
        await fixture().makeFolders(`empty${count}`, count);
        await uploader.addOne("last.txt", { folder: `empty${count}/zz`, size: 5 });
      }
      for (const key of ["own 1", "own-1", "own/1 beside", "own/10", "own0", "Own"]) {
        await uploader.addOne("beside.txt", { folder: key, size: 100 });
      }
      expect(await expectEach(catalog, ["own/1", "own/199", "own/200", "own/450"])).toEqual([
        [1, 0, 3],
        [199, 0, 597],
        [200, 0, 600],
        [450, 0, 1350],
      ]);
      const deep = [1, 199, 200, 201, 450].map((count) => `deep/${count}`);
      expect(await expectEach(catalog, deep)).toContainEqual([450, 2, 900]);
      await expectEach(catalog, [...deep, "", "deep", "own", "deep/1/a", "deep/200/a/b"]);
      const empty = [1, 198, 199, 200, 201].map((count) => `empty${count}`);
      expect(await expectEach(catalog, empty)).toContainEqual([1, 202, 5]);
    });

    test("are any number, in any order", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      await fixture().makeFolders("many", 120);
      for (const at of [0, 24, 25, 26, 119]) {
        await uploader.add(names(at + 1), { folder: `many/${at}` });
      }
      const keys = range(120).map((at) => `many/${at}`);
      const sizes = await expectEach(catalog, keys);
      expect(sizes.filter(([files]) => files !== 0)).toHaveLength(5);
      expect(sizes[119]).toEqual([120, 0, 120]);
      await expectEach(catalog, keys.toReversed());
      await expectEach(catalog, keys.slice(0, 1));
      expect(await catalog.measureEach(COMMAND_EVERYWHERE, [])).toEqual([]);
    });

    test("are not measured to the end once the request is aborted", async () => {
      const { catalog } = fixture();
      // More than one statement measures of a folder.
      await createUploader(catalog).add(names(250), { folder: "big" });
      await createUploader(catalog).addOne("a.txt", { folder: "small" });
      const ids = await Promise.all(
        ["big", "small"].map(async (key) => (await folderAt(catalog, key)).id),
      );
      const gone = new AbortController();
      const measured = [
        catalog.measure(COMMAND_EVERYWHERE, parseKey("big"), gone.signal),
        catalog.measureEach(COMMAND_EVERYWHERE, ids, gone.signal),
      ];
      gone.abort();
      for (const result of await Promise.allSettled(measured)) {
        expect(result).toMatchObject({ status: "rejected", reason: expect.any(ConnectionClosed) });
      }
      const none = new AbortController().signal;
      expect(
        (await catalog.measureEach(COMMAND_EVERYWHERE, ids, none)).map(({ files }) => files),
      ).toEqual([250, 1]);
    });

    test("leave out those that are missing, removed or in the trash", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      for (const folder of ["kept", "removed/in", "trashed/in"]) {
        await uploader.addOne("a.txt", { folder });
      }
      const keys = ["removed", "removed/in", "kept", "trashed", "trashed/in"];
      const folders = await Promise.all(keys.map((key) => folderAt(catalog, key)));
      const idOf = (key: string) => folders[keys.indexOf(key)]?.id ?? "";
      await catalog.removeFolder(COMMAND_EVERYWHERE, idOf("removed"));
      await catalog.trashFolder(COMMAND_EVERYWHERE, { id: idOf("trashed"), keepMs: 60_000 });
      const ids = [...folders.map(({ id }) => id), "missing", ""];
      expect(await catalog.measureEach(COMMAND_EVERYWHERE, ids)).toEqual([
        { id: idOf("kept"), key: parseKey("kept"), files: 1, folders: 0, bytes: 1 },
      ]);
    });
  });
}
