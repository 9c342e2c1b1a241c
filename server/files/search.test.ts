import { afterEach, beforeEach, expect, test } from "bun:test";
import type { FileTree } from "../catalog/port/file-tree.ts";
import { createUploader, tick } from "../catalog/suite/catalog.fixture.ts";
import { COMMAND_EVERYWHERE } from "../domain/callers/caller.ts";
import type { FileRecord } from "../domain/records.ts";
import { type FilesFixture, openFilesFixture } from "./files.fixture.ts";
import { type SearchOrder, type SearchPlace, searchNames } from "./search.ts";

let fixture: FilesFixture;
beforeEach(async () => {
  fixture = await openFilesFixture();
});
afterEach(() => fixture.end());

/** Files `1`, `2` and `3` in the top folder, and `4` and `5` in a folder. */
async function addFiles(): Promise<FileRecord[]> {
  const uploader = createUploader(fixture.catalog);
  const files: FileRecord[] = [];
  for (const name of ["1", "2", "3", "4", "5"]) {
    files.push(await uploader.addOne(name, { folder: name < "4" ? "" : "folder" }));
    await tick();
  }
  return files;
}

const named = (files: readonly FileRecord[], ...names: string[]): string[] =>
  files.filter(({ name }) => names.includes(name)).map(({ id }) => id);

/** Makes a change while the first search runs, after it has read the files in the top folder. */
function during(change: () => Promise<unknown>): FileTree {
  let isChanged = false;
  return {
    ...fixture.catalog,
    async *rankFiles(caller, search) {
      for await (const batch of fixture.catalog.rankFiles(caller, search)) {
        if (!isChanged) await change();
        isChanged = true;
        yield batch;
      }
    },
  };
}

async function page(tree: FileTree, order: SearchOrder, limit: number, after?: SearchPlace) {
  const { signal } = new AbortController();
  const filter = { minSize: 0 };
  const request = { text: "*", filter, order, limit, after, counts: true, signal };
  const { files, next, total } = await searchNames(COMMAND_EVERYWHERE, tree, request);
  return { names: files.map(({ name }) => name).join(""), next, total };
}

const byName = { orderBy: "name", direction: "ASC" } as const;

test("a file that is deleted during a search ends neither its pages nor its total", async () => {
  const { catalog } = fixture;
  const files = await addFiles();
  const tree = during(() => catalog.removeFiles(COMMAND_EVERYWHERE, named(files, "2")));
  const first = await page(tree, byName, 2);
  expect(first).toMatchObject({ names: "1", total: 4 });
  const second = await page(tree, byName, 2, first.next ?? expect.unreachable());
  expect(second.names).toBe("34");
  const third = await page(tree, byName, 2, second.next ?? expect.unreachable());
  expect(third).toMatchObject({ names: "5", next: null });
});

test("a page whose files are all deleted during a search is left out", async () => {
  const { catalog } = fixture;
  const files = await addFiles();
  const tree = during(() => catalog.removeFiles(COMMAND_EVERYWHERE, named(files, "1", "2")));
  const first = await page(tree, byName, 2);
  expect(first).toMatchObject({ names: "34", total: 3 });
  const last = await page(tree, byName, 2, first.next ?? expect.unreachable());
  expect(last).toMatchObject({ names: "5", next: null });
});

test("a file that is changed during a search makes its pages skip no other", async () => {
  const { catalog } = fixture;
  const files = await addFiles();
  const [id = ""] = named(files, "2");
  const tree = during(() => catalog.changeFile(COMMAND_EVERYWHERE, { id, visibility: "private" }));
  const byTime = { orderBy: "updatedAt", direction: "ASC" } as const;
  const first = await page(tree, byTime, 2);
  expect(first).toMatchObject({ names: "12", total: 5 });
  const rest = await page(tree, byTime, 10, first.next ?? expect.unreachable());
  expect(rest.names).toBe("3452");
});
