import { afterAll, describe, expect, test } from "bun:test";
import { api, unique } from "./client.ts";
import { expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { browseData, browsePageData, type FileShape, pageData } from "./shapes.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);

const names = (files: readonly { name: string }[]) => files.map((file) => file.name);

const page = async (query: string, cursor: string) =>
  expectData(await a.get(`/api/files?${query}&cursor=${cursor}`), pageData);

const folderPage = async (query: string, cursor: string) =>
  expectData(await a.get(`/api/folders?${query}&cursor=${cursor}`), browsePageData);

/** Reads all pages of the list; `between` runs after each. */
async function allPages(query: string, between = async () => {}): Promise<FileShape[][]> {
  const pages: FileShape[][] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { files, nextCursor } = await page(query, cursor);
    pages.push(files);
    cursor = nextCursor;
    if (pages.length > 1_000) throw new Error("The pages do not end");
    await between();
  }
  return pages;
}

const folder = unique("pages");
const content = ["", "x", "xx"];
for (let index = 0; index < 11; index += 1) {
  const name = `${(index * 7) % 11}.${["txt", "png", "jpg"][index % 3]}`;
  await a.put(`${folder}/${index % 2}/${name}`, content[index % 3] ?? "");
}

const orders = ["createdAt", "updatedAt", "name", "naturalName", "size", "type"];
const cases = orders.flatMap((order) => [`${order}&orderDirection=ASC`, order]);

describe.each(cases)("pages by %s", (order) => {
  test("add up to the whole list for any page size", async () => {
    const query = `orderBy=${order}`;
    const whole = await a.list(`?${query}`);
    expect(whole.length).toBe(11);
    for (const limit of [1, 3, 10, 11, 12]) {
      const pages = await allPages(`${query}&limit=${limit}`);
      expect(pages.flat()).toEqual(whole);
      expect(pages.length).toBe(Math.ceil(11 / limit));
      for (const files of pages.slice(0, -1)) expect(files.length).toBe(limit);
    }
  });

  test("of a folder add up to its whole list", async () => {
    const query = `key=${folder}/1&orderBy=${order}`;
    const whole = expectData(await a.get(`/api/folders?${query}`), browseData).files;
    const seen: FileShape[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { files, nextCursor } = await folderPage(`${query}&limit=2`, cursor);
      seen.push(...files);
      cursor = nextCursor;
    }
    expect(whole.length).toBe(5);
    expect(seen).toEqual(whole);
  });
});

test("orderBy=naturalName follows numbers and ignores case, in pages of a folder and of all folders", async () => {
  const top = unique("natural");
  const parts = ["_x", "1 b", "01 C", "a", "É", "f", "File9", "file10", "FILE100"];
  const inOrder = parts.map((part) => `${part}.txt`);
  const reversed = inOrder.toReversed();
  for (const folder of ["one", "two"]) {
    for (const name of reversed) await a.put(`${top}/${folder}/${name}`, "");
  }
  for (const direction of ["ASC", "DESC"]) {
    const sorted = direction === "ASC" ? inOrder : reversed;
    const query = `orderBy=naturalName&orderDirection=${direction}`;
    const seen: FileShape[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page = await folderPage(`key=${top}/one&${query}&limit=2`, cursor);
      seen.push(...page.files);
      cursor = page.nextCursor;
    }
    expect(names(seen)).toEqual(sorted);
    const offsets: FileShape[] = [];
    for (let offset = 0; offset < sorted.length; offset += 4) {
      const part = await a.get(`/api/folders?key=${top}/one&${query}&limit=4&offset=${offset}`);
      offsets.push(...expectData(part, browseData).files);
    }
    expect(offsets).toEqual(seen);
    // The list of all folders has each name twice, in the order of the ids.
    const all = (await allPages(`${query}&limit=3`)).flat();
    const both = all.filter(({ key }) => key.startsWith(`${top}/`));
    expect(names(both)).toEqual(sorted.flatMap((name) => [name, name]));
    expect(new Set(both.map(({ id }) => id)).size).toBe(2 * sorted.length);
    const folders = both.map(({ key }) => key.split("/")[1]);
    const pair = direction === "ASC" ? ["one", "two"] : ["two", "one"];
    expect(folders).toEqual(sorted.flatMap(() => pair));
  }
});

test("orderBy=type sorts by media type", async () => {
  const files = await a.list("?orderBy=type&orderDirection=ASC");
  const types = files.map(({ mimeType }) => mimeType);
  expect(types).toEqual(types.toSorted());
  expect(new Set(types).size).toBe(3);
});

test("pages of one name add up to the whole list", async () => {
  const name = unique("same");
  for (const index of [1, 2, 3]) await a.put(`${unique("by-name")}/${name}`, `${index}`);
  const pages = await allPages(`name=${name}&limit=2`);
  expect(pages.map(({ length }) => length)).toEqual([2, 1]);
  expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(3);
  const none = await page("name=nobody-has-this&limit=2", "");
  expect(none).toEqual({ files: [], nextCursor: null });
});

test("returns one page without a limit, and no nextCursor without a cursor", async () => {
  expect((await page("orderBy=name", "")).nextCursor).toBeNull();
  expect(Object.keys(JSON.parse((await a.get("/api/files?limit=1")).text).data)).toEqual(["files"]);
});

test("returns the subfolders with the first page", async () => {
  const base = unique("first");
  for (const name of ["a", "b", "c"]) await a.put(`${base}/${name}`);
  await a.folder(`${base}/sub`);
  const query = `key=${base}&limit=2`;
  const first = await folderPage(query, "");
  expect(names(first.folders)).toEqual(["sub"]);
  const second = await folderPage(query, first.nextCursor ?? "");
  expect(second).toMatchObject({ folder: first.folder, folders: [], nextCursor: null });
  expect(names(second.files)).toEqual(["a"]);
});

test("pages stay consistent while files are added and deleted", async () => {
  const base = unique("step");
  const files = [];
  for (let index = 0; index < 12; index += 1) files.push(await a.put(`${base}/f${10 + index}`));
  const top = (await a.browse(base)).folder;
  const seen: string[] = [];
  let cursor: string | null = "";
  for (let round = 0; cursor !== null; round += 1) {
    const query = `id=${top.id}&limit=3&orderBy=name&orderDirection=ASC`;
    const { files: some, nextCursor } = await folderPage(query, cursor);
    seen.push(...names(some));
    cursor = nextCursor;
    // Before the cursor: deletes the last file of the page and adds another.
    const last = some.at(-1);
    if (round < 3 && last !== undefined) {
      await a.json("DELETE", "/api/files", { id: last.id });
      await a.put(`${base}/e${round}`);
    }
  }
  expect(seen).toEqual(names(files));
});

describe("rejects with 400", () => {
  test("an invalid cursor", async () => {
    for (const cursor of ["x", "0", "%00", "e30", "W10", "a".repeat(12_000), "ä", "null"]) {
      expectFault(await a.get(`/api/files?limit=1&cursor=${cursor}`), 400, /cursor/);
    }
  });

  test("a cursor of another order or list", async () => {
    const { nextCursor } = await page("limit=1&orderBy=name", "");
    expect(nextCursor).toMatch(/^[\w-]+$/);
    expect(
      (await page("limit=2&orderBy=name&orderDirection=desc", nextCursor ?? "")).files.length,
    ).toBe(2);
    for (const query of [
      "orderBy=size",
      "orderBy=name&orderDirection=ASC",
      "orderBy=name&name=x",
    ]) {
      expectFault(await a.get(`/api/files?limit=1&${query}&cursor=${nextCursor}`), 400, /cursor/);
    }
    expectFault(
      await a.get(`/api/folders?limit=1&orderBy=name&cursor=${nextCursor}`),
      400,
      /cursor/,
    );
    const shown = await folderPage(`key=${folder}/1&limit=1`, "");
    expect(shown.nextCursor).not.toBeNull();
    const other = `/api/folders?key=${folder}/0&limit=1&cursor=${shown.nextCursor}`;
    expectFault(await a.get(other), 400, /cursor/);
  });

  test("a cursor with an offset, or with a limit of 0", async () => {
    expectFault(await a.get("/api/files?limit=1&offset=1&cursor="), 400, /offset/);
    expect((await page("limit=1&offset=0", "")).files.length).toBe(1);
    expectFault(await a.get("/api/files?limit=0&cursor="), 400, /limit/);
  });
});
