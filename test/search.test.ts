import { afterAll, describe, expect, test } from "bun:test";
import { api, unique } from "./client.ts";
import { expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { searchData, sizeData, sizesData } from "./shapes.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);

const keys = (found: readonly { key: string }[]) => found.map(({ key }) => key);

const search = async (parameters: Readonly<Record<string, string>>) =>
  expectData(await a.get(`/api/search?${new URLSearchParams(parameters)}`), searchData);

const base = unique("search");
await a.put(`${base}/Harbour/harbour.JPG`);
await a.put(`${base}/Harbour/deep/quay.txt`);
await a.put(`${base}/a/old HARBOUR.png`);
await a.put(`${base}/a/Été à la mer.txt`);
await a.put(`${base}/ab/100%.txt`);
const { folder: top } = await a.browse(base);

describe("a search", () => {
  test("may be in a folder by its key", async () => {
    const found = await search({ q: "harb", folder: `${base}/a` });
    expect(keys(found.files)).toEqual([`${base}/a/old HARBOUR.png`]);
    const both = new URLSearchParams({ q: "x", folder: base, folderId: top.id });
    expectFault(await a.get(`/api/search?${both}`), 400, /either `folderId` or `folder`/);
    expectFault(await a.get("/api/search?q=x&folder=none%2Fsuch"), 404);
  });

  test("finds folders and files by part of their names, ignoring case", async () => {
    expect(await search({ q: "harb" })).toMatchObject({ nextCursor: null });
    const found = await search({ q: "HARB" });
    expect(keys(found.folders)).toEqual([`${base}/Harbour`]);
    expect(keys(found.files)).toEqual([`${base}/Harbour/harbour.JPG`, `${base}/a/old HARBOUR.png`]);
    const [file] = found.files;
    if (file === undefined) throw new Error("No file");
    expect(await a.file(file.id)).toEqual(file);
  });

  test.each([
    ["été", "Été à la mer.txt"],
    ["ÉTÉ À", "Été à la mer.txt"],
    ["E\u0301te\u0301", "Été à la mer.txt"],
    ["0%", "100%.txt"],
    ["Y.TX", "quay.txt"],
  ])("for %j finds %j", async (q, name) => {
    expect((await search({ q })).files.map((file) => file.name)).toEqual([name]);
  });

  test.each(["nobody", "h%r", "h_rbour", "/", "a/old", "\\", "\0", "?"])(
    "for %j finds nothing",
    async (q) => {
      expect(await search({ q })).toEqual({
        files: [],
        folders: [],
        nextCursor: null,
        total: null,
      });
    },
  );

  test("ignores accents, and finds whole names with *", async () => {
    const named = async (q: string) => keys((await search({ q, folderId: top.id })).files);
    expect(await named("ete a la mer")).toEqual([`${base}/a/Été à la mer.txt`]);
    expect(await named("*.jpg")).toEqual([`${base}/Harbour/harbour.JPG`]);
    expect(await named("*")).toHaveLength(5);
  });

  test("finds only files with the given properties, on every page", async () => {
    const place = unique("filters");
    await a.put(`${place}/small.txt`, "x");
    await a.put(`${place}/large.txt`, "x".repeat(5000), { visibility: "private" });
    await a.put(`${place}/picture.png`, "png");
    const { folder } = await a.browse(place);
    const named = async (filter: Readonly<Record<string, string>>) => {
      const found = await search({ q: "*", folderId: folder.id, ...filter });
      expect(found.folders).toEqual([]);
      return found.files.map(({ name }) => name);
    };
    expect(await named({ type: "image/*" })).toEqual(["picture.png"]);
    expect(await named({ type: "text/plain" })).toEqual(["large.txt", "small.txt"]);
    expect(await named({ type: "TEXT/*", visibility: "public" })).toEqual(["small.txt"]);
    expect(await named({ visibility: "private" })).toEqual(["large.txt"]);
    expect(await named({ minSize: "5000" })).toEqual(["large.txt"]);
    expect(await named({ minSize: "2", maxSize: "4999" })).toEqual(["picture.png"]);
    expect(await named({ updatedSince: "2001-01-01", maxSize: "1" })).toEqual(["small.txt"]);
    expect(await named({ updatedUntil: "2001-01-01" })).toEqual([]);
    const first = await search({ q: "*", folderId: folder.id, type: "text/*", limit: "1" });
    const cursor = first.nextCursor ?? expect.unreachable();
    const next = { q: "*", folderId: folder.id, type: "text/*", limit: "1", cursor };
    expect((await search(next)).files.map(({ name }) => name)).toEqual(["small.txt"]);
    const others = new URLSearchParams({ ...next, type: "image/*" });
    expectFault(await a.get(`/api/search?${others}`), 400, /cursor/);
    expectFault(await a.get("/api/search?q=a&type=image"), 400, /`type` must be a media type/);
  });

  test("sorts files in the order of lists, on every page, and counts them", async () => {
    const place = unique("ordered");
    for (const [name, size] of Object.entries({ "p10.txt": 3, "P2.txt": 3, "sub/p1.txt": 1 })) {
      await a.put(`${place}/${name}`, "x".repeat(size));
    }
    const { folder } = await a.browse(place);
    const named = async (parameters: Readonly<Record<string, string>>) => {
      const names: string[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const all = { q: "p", folderId: folder.id, limit: "1", cursor, ...parameters };
        const page: Awaited<ReturnType<typeof search>> = await search(all);
        names.push(...page.files.map(({ name }) => name));
        cursor = page.nextCursor;
      }
      return names;
    };
    const ascending = { orderDirection: "asc" };
    expect(await named({ orderBy: "naturalName", ...ascending })).toEqual([
      ...["p1.txt", "P2.txt", "p10.txt"],
    ]);
    expect(await named({ orderBy: "name", ...ascending })).toEqual([
      ...["P2.txt", "p1.txt", "p10.txt"],
    ]);
    expect((await named({ orderBy: "size", ...ascending }))[0]).toBe("p1.txt");
    expect((await named({ orderBy: "size" })).at(-1)).toBe("p1.txt");
    expect(await named({ orderBy: "createdAt" })).toEqual(["p1.txt", "P2.txt", "p10.txt"]);

    const counted = { q: "*", folderId: folder.id, limit: "1", includeTotal: "1" };
    const first = await search({ ...counted, orderBy: "size" });
    expect(keys(first.folders)).toEqual([`${place}/sub`]);
    expect(first.total).toBe(4);
    expect((await search({ ...counted, minSize: "2" })).total).toBe(2);
    expect((await search({ ...counted, q: "nobody" })).total).toBe(0);
    const cursor = first.nextCursor ?? expect.unreachable();
    const other = new URLSearchParams({ ...counted, cursor, orderBy: "name" });
    expectFault(await a.get(`/api/search?${other}`), 400, /cursor/);
    expectFault(await a.get("/api/search?q=a&orderBy=id"), 400, /`orderBy` must be/);
    expectFault(await a.get("/api/search?q=a&orderDirection=ASC"), 400, /only with `orderBy`/);
  });

  test("in a folder ignores everything outside it", async () => {
    const { folder } = await a.browse(`${base}/a`);
    expect(keys((await search({ q: ".", folderId: folder.id })).files)).toEqual([
      `${base}/a/old HARBOUR.png`,
      `${base}/a/Été à la mer.txt`,
    ]);
    const inTop = await search({ q: "a", folderId: top.id });
    expect(keys(inTop.folders)).toEqual([`${base}/Harbour`, `${base}/a`, `${base}/ab`]);
  });

  test("returns pages, folders first, without duplicates", async () => {
    const whole = await search({ q: "a", folderId: top.id });
    for (const limit of [1, 2, 3, 5]) {
      const seen: string[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const parameters = { q: "a", folderId: top.id, limit: `${limit}`, cursor };
        const page: Awaited<ReturnType<typeof search>> = await search(parameters);
        expect(page.files.length + page.folders.length).toBeLessThanOrEqual(limit);
        seen.push(...keys(page.folders), ...keys(page.files));
        cursor = page.nextCursor;
      }
      expect(seen).toEqual([...keys(whole.folders), ...keys(whole.files)]);
    }
    expect(whole.files.length).toBeGreaterThan(3);
  });

  test("continues after its folder is renamed", async () => {
    const folder = await a.folder(`${unique("renamed")}/before`);
    for (const name of ["x1", "x2", "x3"]) await a.put(`${folder.key}/${name}`);
    const first = await search({ q: "x", folderId: folder.id, limit: "2" });
    await a.json("PUT", "/api/folders", { id: folder.id, name: "after" });
    const rest = await search({
      q: "x",
      folderId: folder.id,
      limit: "2",
      cursor: first.nextCursor ?? "",
    });
    expect(rest.files.map(({ name }) => name)).toEqual(["x3"]);
  });

  test("rejects a missing or too long text and a cursor of another search", async () => {
    expectFault(await a.get("/api/search"), 400, /`q` is missing/);
    expectFault(await a.get("/api/search?q="), 400, /q/);
    expectFault(await a.get(`/api/search?q=${"x".repeat(256)}`), 400, /q/);
    for (const limit of ["0", "1001", "-1", "x", "1.5", ""]) {
      expectFault(await a.get(`/api/search?q=a&limit=${limit}`), 400, /limit.*1 to 1000/);
    }
    const { nextCursor } = await search({ q: "a", limit: "1" });
    expect(nextCursor).toMatch(/^[\w-]+$/);
    expectFault(await a.get(`/api/search?q=b&limit=1&cursor=${nextCursor}`), 400, /cursor/);
    const elsewhere = `/api/search?q=a&folderId=${top.id}&cursor=${nextCursor}`;
    expectFault(await a.get(elsewhere), 400, /cursor/);
    expectFault(await a.get("/api/search?q=a&cursor=abc"), 400, /cursor/);
    expectFault(await a.get("/api/search?q=a&folderId=nope"), 404);
  });
});

describe("the size of a folder", () => {
  const size = async (query: string) =>
    expectData(await a.get(`/api/folders/size${query}`), sizeData);

  test("counts everything inside and nothing else", async () => {
    const folder = unique("size");
    await a.put(`${folder}/a/1`, "12345");
    await a.put(`${folder}/a/b/2`, "123");
    await a.put(`${folder}/ab/3`, "1");
    await a.folder(`${folder}/a/empty`);
    expect(await size(`?key=${folder}/a`)).toEqual({ files: 2, folders: 2, bytes: 8 });
    const { folder: shown } = await a.browse(folder);
    expect(await size(`?id=${shown.id}`)).toEqual({ files: 3, folders: 4, bytes: 9 });
    expect(await size(`?path=${folder}/a/empty`)).toEqual({ files: 0, folders: 0, bytes: 0 });
    const whole = await size("");
    expect(whole.files).toBe((await a.list()).length);
    expect(whole.bytes).toBe((await a.list()).reduce((sum, file) => sum + file.size, 0));
  });

  test("counts several folders together, and one inside another once", async () => {
    const folder = unique("sizes");
    const { folderId: a1 } = await a.put(`${folder}/a/1`, "12345");
    const { folderId: inside } = await a.put(`${folder}/a/b/2`, "123");
    const { folderId: other } = await a.put(`${folder}/ab/3`, "1");
    const sum = { files: 3, folders: 1, bytes: 9 };
    const ofA = { id: a1, files: 2, folders: 1, bytes: 8 };
    const ofInside = { id: inside, files: 1, folders: 0, bytes: 3 };
    const ofOther = { id: other, files: 1, folders: 0, bytes: 1 };
    const sizes = async (query: string) =>
      expectData(await a.get(`/api/folders/size${query}`), sizesData);
    expect(await sizes(`?ids=${other}&ids=${a1}`)).toEqual({ ...sum, each: [ofOther, ofA] });
    expect(await sizes(`?ids=${a1}&ids=${inside}&ids=${other}&ids=${a1}`)).toEqual({
      ...sum,
      each: [ofA, ofInside, ofOther],
    });
    expect(await sizes(`?ids=${inside}`)).toEqual({
      files: 1,
      folders: 0,
      bytes: 3,
      each: [ofInside],
    });
    expectFault(await a.get(`/api/folders/size?ids=${a1}&ids=nope`), 404);
    expectFault(await a.get(`/api/folders/size?ids=${a1}&id=${other}`), 400, /`ids`/);
    const repeated = (count: number) => Array.from({ length: count }, () => `ids=${a1}`).join("&");
    expect(await sizes(`?${repeated(150)}`)).toMatchObject({ files: 2, bytes: 8 });
    expectFault(await a.get(`/api/folders/size?${repeated(151)}`), 400, /150/);
  });

  test("rejects an id that is not a folder, and two selectors", async () => {
    const file = await a.put(unique("file"));
    expectFault(await a.get(`/api/folders/size?id=${file.id}`), 404);
    expectFault(await a.get("/api/folders/size?key=nowhere"), 404);
    expectFault(await a.get(`/api/folders/size?id=${top.id}&key=x`), 400);
  });
});
