import { describe, expect, test } from "bun:test";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey } from "../../domain/names/name.ts";
import type { FileRecord } from "../../domain/records.ts";
import type { CatalogFixture } from "./catalog.fixture.ts";
import {
  createUploader,
  expectFault,
  folderAt,
  limitedTo,
  listAll,
  tick,
} from "./catalog.fixture.ts";

const range = (length: number): number[] => Array.from({ length }, (_, index) => index);

export function changeFilesSuite(fixture: () => CatalogFixture): void {
  describe("changing several files", () => {
    test("moves them and sets their visibility in one transaction, and leaves out what cannot be", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const [a, b] = [
        await uploader.addOne("a", { folder: "one" }),
        await uploader.addOne("b", { folder: "two" }),
      ];
      const sameName = await uploader.addOne("a", { folder: "two" });
      const taken = await uploader.addOne("c", { folder: "one" });
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("to/c"));
      const there = await uploader.addOne("d", { folder: "to" });
      const untouched = await uploader.addOne("e", { folder: "one" });
      const { id: folderId } = await folderAt(catalog, "to");
      await tick();
      const ids = [a, b, a, sameName, taken, there].map(({ id }) => id).concat("nobody");
      const { changed, altered, failed } = await catalog.changeFiles(COMMAND_EVERYWHERE, {
        ids,
        folderId,
        visibility: "private",
      });
      expect(changed.map(({ id, key }) => [id, key])).toEqual([
        [a.id, parseKey("to/a")],
        [b.id, parseKey("to/b")],
        [there.id, parseKey("to/d")],
      ]);
      expect(altered).toEqual([a, b, there].map(({ id, key }) => ({ id, key })));
      for (const file of changed) {
        expect(file).toMatchObject({ folderId, visibility: "private" });
        expect(await catalog.fileById(COMMAND_EVERYWHERE, file.id)).toEqual(file);
        expect(await catalog.fileByKey(COMMAND_EVERYWHERE, file.key)).toEqual(file);
      }
      expect(failed).toEqual([
        {
          id: sameName.id,
          key: sameName.key,
          code: "name_taken",
          message: 'A file named "a" already exists in this folder.',
          takenBy: "file",
        },
        {
          id: taken.id,
          key: taken.key,
          code: "name_taken",
          message: 'A folder named "c" already exists in this folder.',
          takenBy: "folder",
        },
      ]);
      for (const file of [sameName, taken, untouched]) {
        expect(await catalog.fileById(COMMAND_EVERYWHERE, file.id)).toEqual(file);
      }
    });

    test("leaves files that are there already, and as visible, unchanged", async () => {
      const { catalog } = fixture();
      const file = await createUploader(catalog).addOne("a", { folder: "from" });
      await tick();
      const { folderId, visibility } = file;
      expect(
        await catalog.changeFiles(COMMAND_EVERYWHERE, { ids: [file.id], folderId, visibility }),
      ).toEqual({
        changed: [file],
        altered: [],
        failed: [],
        missing: [],
      });
      expect(await catalog.fileById(COMMAND_EVERYWHERE, file.id)).toEqual(file);
    });

    test("names the folder that all moved files were in", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const [a, b] = await uploader.add(["a", "b"], { folder: "one" });
      const c = await uploader.addOne("c", { folder: "two" });
      const { id: folderId } = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("to"));
      const move = async (...files: (FileRecord | undefined)[]) => {
        const ids = files.flatMap((file) => file?.id ?? []);
        return (await catalog.changeFiles(COMMAND_EVERYWHERE, { ids, folderId })).movedFrom;
      };
      expect(await move(a)).toBe(parseKey("one"));
      // One is there already.
      expect(await move(a, b)).toBe(parseKey("one"));
      expect(await move(a, b)).toBeUndefined();
      const from = (await folderAt(catalog, "one")).id;
      await catalog.changeFiles(COMMAND_EVERYWHERE, { ids: [a?.id ?? ""], folderId: from });
      expect(await move(a, c)).toBeUndefined();
    });

    test("a key that would become too long fails alone", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const [long, short] = [await uploader.addOne("x".repeat(200)), await uploader.addOne("s")];
      const path = Array.from({ length: 16 }, () => "d".repeat(250)).join("/");
      const { id: folderId } = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey(path));
      const ids = [long.id, short.id];
      const { changed, failed } = await catalog.changeFiles(COMMAND_EVERYWHERE, { ids, folderId });
      expect(changed.map(({ id }) => id)).toEqual([short.id]);
      const { id, key } = long;
      const message = expect.stringContaining("4096");
      expect(failed).toEqual([{ id, key, code: "invalid_request", message }]);
    });

    test("with a limit, everything outside is missing, also the target", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const [inside, outside] = [
        await uploader.addOne("a", { folder: "top/in" }),
        await uploader.addOne("b", { folder: "out" }),
      ];
      const caller = limitedTo([(await folderAt(catalog, "top")).id]);
      const ids = [inside.id, outside.id];
      const { changed, failed } = await catalog.changeFiles(caller, { ids, visibility: "private" });
      expect([changed.map(({ id }) => id), failed]).toEqual([[inside.id], []]);
      const { folderId } = outside;
      await expectFault(catalog.changeFiles(caller, { ids, folderId }), "not_found", "to move to");
      await expectFault(
        catalog.changeFiles(COMMAND_EVERYWHERE, { ids, folderId: "nobody" }),
        "not_found",
        "No such folder to move to.",
      );
      expect(await catalog.fileById(COMMAND_EVERYWHERE, outside.id)).toEqual(outside);
    });

    test("2,500 files of 700 folders, more than fit into one statement", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const ids: string[] = [];
      for (const at of range(700)) {
        const names = at === 0 ? range(1_801) : [0];
        const files = await uploader.add(
          names.map((name) => `${at}-${name}`),
          { folder: `f${at}` },
        );
        ids.push(...files.map(({ id }) => id));
      }
      const { id: folderId } = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("to"));
      const { changed, failed } = await catalog.changeFiles(COMMAND_EVERYWHERE, { ids, folderId });
      expect([changed.length, failed.length]).toEqual([2_500, 0]);
      expect(await listAll(catalog, { folderId })).toHaveLength(2_500);
    });
  });
}
