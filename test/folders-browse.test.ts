import { afterAll, describe, expect, test } from "bun:test";
import { api, unique } from "./client.ts";
import { expectData, expectFault, untilAfter } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { branchingData, browseData, peekedData } from "./shapes.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);

const get = (query: string) => a.get(`/api/folders${query}`);
const shown = async (query: string) => expectData(await get(query), browseData);

describe("the root", () => {
  test("is returned without a selector and for an empty key", async () => {
    const { folder } = await shown("");
    expect(folder).toMatchObject({ name: "", key: "", parentId: null });
    for (const query of ["?key=", "?path=", "?key=/", "?key=%2F%2F", `?id=${folder.id}`]) {
      expect((await shown(query)).folder).toEqual(folder);
    }
  });

  test("keeps its id across a restart", async () => {
    const { folder } = await shown("");
    await server.restart();
    expect((await shown("")).folder).toEqual(folder);
  });
});

describe("a folder", () => {
  test("lists its files and direct subfolders by id, key and path", async () => {
    const base = unique("browse");
    const folder = await a.folder(base);
    const file = await a.put(`${base}/file`);
    const sub = await a.folder(`${base}/sub`);
    await a.put(`${base}/sub/deeper/file`);
    await a.folder(`${base}-beside`);
    await a.put(`${base}-file`);
    const expected = { folder, files: [file], folders: [sub] };
    for (const query of [
      `?id=${folder.id}`,
      `?folder=${base}`,
      `?folder=${base}&key=${base}`,
      `?key=${base}`,
      `?path=${base}`,
      `?key=${base}&path=${base}`,
      `?key=/${base}/`,
      `?path=%2F%2F${base}%2F`,
    ]) {
      expect(await shown(query)).toEqual(expected);
    }
    const inner = await shown(`?key=${base}//sub/`);
    expect([inner.folder, inner.files.length, inner.folders.length]).toEqual([sub, 0, 1]);
    expect(inner.folders[0]).toMatchObject({ key: `${base}/sub/deeper`, parentId: sub.id });
    expect(sub).toMatchObject({ name: "sub", key: `${base}/sub`, parentId: folder.id });
  });

  test("may be empty", async () => {
    const folder = await a.folder(unique("browse"));
    expect(await shown(`?id=${folder.id}`)).toEqual({ folder, files: [], folders: [] });
  });

  test("applies the list parameters to its files, not to its folders", async () => {
    const base = unique("browse");
    for (const [name, size] of [
      ["p", 3],
      ["q", 1],
      ["r", 2],
    ] as const) {
      await a.put(`${base}/${name}`, "x".repeat(size));
      await a.folder(`${base}/folder-${name}`);
      await untilAfter(Date.now());
    }
    const names = async (query: string) => {
      const { files, folders } = await shown(`?key=${base}${query}`);
      expect(folders.length).toBe(3);
      return files.map((file) => file.name).join("");
    };
    expect(await names("")).toBe("rqp");
    expect(await names("&orderBy=name&orderDirection=asc")).toBe("pqr");
    expect(await names("&orderBy=size")).toBe("prq");
    expect(await names("&limit=1")).toBe("r");
    expect(await names("&limit=1&offset=1")).toBe("q");
    expect(await names("&limit=0")).toBe("");
    expect(await names("&offset=3")).toBe("");
  });

  test("lists the first four files of each subfolder with `peek=1`, and only then", async () => {
    const base = unique("browse");
    const files = [];
    for (const name of ["1.png", "2", "10", "a", "b"]) {
      files.push(await a.put(`${base}/full/${name}`, name, { visibility: "private" }));
    }
    const empty = await a.folder(`${base}/empty`);
    await a.put(`${base}/empty/below/deep`);
    await a.put(`${base}/own`);
    const full = (await shown(`?key=${base}/full`)).folder;
    const plain = (await get(`?key=${base}`)).text;
    expect((await get(`?key=${base}&peek=0`)).text).toBe(plain);
    expect(plain).not.toContain("peek");
    const peeked = [
      { ...empty, peek: [] },
      { ...full, peek: files.slice(0, 4) },
    ];
    const shownWithPeek = async (query: string) =>
      expectData(await get(`?key=${base}&peek=1${query}`), peekedData);
    expect((await shownWithPeek("&limit=0")).folders).toEqual(peeked);
    const all = await shownWithPeek("");
    expect([all.folders, all.files.length]).toEqual([peeked, 1]);
    for (const value of ["2", "true", ""]) {
      expectFault(await get(`?key=${base}&peek=${value}`), 400);
    }
  });

  test("says with `hasFolders=1` which subfolders have subfolders, and only then", async () => {
    const base = unique("browse");
    const leaf = await a.folder(`${base}/leaf`);
    await a.put(`${base}/leaf/file`);
    const branch = await a.folder(`${base}/branch`);
    await a.folder(`${base}/branch/below`);
    expect((await get(`?key=${base}&hasFolders=0`)).text).not.toContain("hasFolders");
    const { folders } = expectData(await get(`?key=${base}&hasFolders=1`), branchingData);
    expect(folders).toEqual([
      { ...branch, hasFolders: true },
      { ...leaf, hasFolders: false },
    ]);
    expectFault(await get(`?key=${base}&hasFolders=1&peek=1`), 400);
    expectFault(await get(`?key=${base}&hasFolders=yes`), 400);
  });

  test("is found by its key in another Unicode form, but not in another case", async () => {
    const folder = await a.folder(unique("Über-\u00e9"));
    expect((await shown(`?key=${encodeURIComponent(folder.key.normalize("NFD"))}`)).folder).toEqual(
      folder,
    );
    expectFault(await get(`?key=${encodeURIComponent(folder.key.toLowerCase())}`), 404);
  });
});

describe("404", () => {
  test.each(["?id=nope", "?key=nope", "?path=nope", "?key=no/where/at/all"])(
    "%s",
    async (query) => {
      expectFault(await get(query), 404);
    },
  );

  test("the id or the key of a file", async () => {
    const file = await a.put(unique("browse"));
    expectFault(await get(`?id=${file.id}`), 404);
    expectFault(await get(`?key=${file.key}`), 404);
  });
});

describe("400", () => {
  test("more than one selector", async () => {
    const one = await a.folder(unique("browse"));
    const two = await a.folder(unique("browse"));
    expectFault(await get(`?id=${one.id}&key=${one.key}`), 400);
    expectFault(await get(`?id=${one.id}&path=${one.key}`), 400);
    expectFault(await get(`?key=${one.key}&path=${two.key}`), 400);
    expectFault(await get(`?folder=${one.key}&key=${two.key}`), 400);
    expectFault(await get(`?id=${one.id}&folder=${one.key}`), 400);
  });

  test.each(["..", ".", "a/../b", "a%5Cb", "a%00b", "%20", "n".repeat(256), "d/".repeat(129)])(
    "the bad path %#",
    async (path) => {
      expectFault(await get(`?key=${path}`), 400);
      expectFault(await get(`?path=${path}`), 400);
    },
  );
});
