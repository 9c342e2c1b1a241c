import { describe, expect, test } from "bun:test";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import type { CatalogFixture } from "./catalog.fixture.ts";
import { allKeys, createUploader, folderAt, listAll } from "./catalog.fixture.ts";

const range = (length: number): number[] => Array.from({ length }, (_, index) => index);

export function concurrencySuite(fixture: () => CatalogFixture): void {
  describe("concurrent changes", () => {
    test("exactly one upload gets a name", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const attempts = await Promise.allSettled([
        ...range(20).map((index) => uploader.add([`other ${index}`, "wanted"], { folder: "a/b" })),
        ...range(20).map(() => catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a/b/wanted"))),
      ]);
      const won = attempts.filter(({ status }) => status === "fulfilled");
      expect(won.length).toBe(1);
      for (const attempt of attempts) {
        if (attempt.status === "rejected")
          expect(attempt.reason).toMatchObject({ kind: "conflict" });
      }
      const files = (await allKeys(catalog)).length;
      expect([0, 2]).toContain(files);
    });

    test("a refused change does not roll back others", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      await uploader.addOne("taken");
      const attempts = await Promise.allSettled(
        range(100).map((index) =>
          uploader.add(index % 2 === 0 ? [`${index}`] : [`${index}`, "taken"]),
        ),
      );
      expect(attempts.map(({ status }) => status)).toEqual(
        range(100).map((index) => (index % 2 === 0 ? "fulfilled" : "rejected")),
      );
      const even = range(100).filter((index) => index % 2 === 0);
      expect(await allKeys(catalog)).toEqual([...even.map(String), "taken"].sort());
    });

    test("uploads race with renames and removals of their folder", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const { id } = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("home/inner"));
      const home = await folderAt(catalog, "home");
      const outcomes = await Promise.allSettled([
        ...range(10).map((index) => uploader.add([`a${index}`], { folder: "home/inner" })),
        catalog.changeFolder(COMMAND_EVERYWHERE, { id: home.id, name: parseName("moved") }),
        ...range(10).map((index) => uploader.add([`b${index}`], { folder: "home/inner" })),
        catalog.removeFolder(COMMAND_EVERYWHERE, id),
        ...range(10).map((index) => uploader.add([`c${index}`], { folder: "moved/inner" })),
      ]);
      for (const outcome of outcomes) {
        if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(Fault);
      }
      for (const file of await listAll(catalog)) {
        expect(await catalog.folderById(COMMAND_EVERYWHERE, file.folderId)).toBeDefined();
        expect(await catalog.fileByKey(COMMAND_EVERYWHERE, file.key)).toEqual(file);
      }
    });

    test("a read sees every change that has resolved", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      await Promise.all(
        range(50).map(async (index) => {
          const file = await uploader.addOne(`${index}`);
          expect(await catalog.fileByKey(COMMAND_EVERYWHERE, file.key)).toEqual(file);
          await catalog.removeFiles(COMMAND_EVERYWHERE, [file.id]);
          expect(await catalog.fileByKey(COMMAND_EVERYWHERE, file.key)).toBeUndefined();
        }),
      );
      expect((await catalog.condemnedBlobs(100)).length).toBe(50);
    });
  });
}
