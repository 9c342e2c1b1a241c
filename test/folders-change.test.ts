import { afterAll, describe, expect, test } from "bun:test";
import { api, send, unique } from "./client.ts";
import { expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { folderData } from "./shapes.ts";
import { expectUnchanged } from "./snapshot.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);

const change = (body: unknown) => a.json("PUT", "/api/folders", body);
const changed = async (body: unknown) => expectData(await change(body), folderData).folder;

/** Names that sort next to `a` in any collation. */
const neighbours = ["ab", "a_b", "a%", "a-", "a.", "a!", "a0", "a ", "a~", "A", "aa", "_", "%"];

async function neighbourhood(): Promise<string> {
  const base = unique("near");
  for (const name of ["a", ...neighbours]) {
    await a.put(`${base}/${name}/file`);
    await a.put(`${base}/${name}/sub/file`);
  }
  return base;
}

const filesBelow = async (prefix: string) =>
  (await a.list("?orderBy=name")).filter((file) => file.key.startsWith(prefix));

describe("a rename", () => {
  test("rewrites the keys of everything inside and nothing else", async () => {
    const base = await neighbourhood();
    await a.folder(`${base}/a/empty/deep`);
    const before = new Map((await filesBelow(`${base}/`)).map((file) => [file.id, file]));
    const { folder } = await a.browse(`${base}/a`);
    const sub = (await a.browse(`${base}/a/sub`)).folder;

    const renamed = await changed({ id: folder.id, name: "x y" });
    expect(renamed).toEqual({
      ...folder,
      name: "x y",
      key: `${base}/x y`,
      updatedAt: renamed.updatedAt,
    });
    for (const file of await filesBelow(`${base}/`)) {
      const old = before.get(file.id);
      const inside = old?.key.startsWith(`${base}/a/`);
      const key = inside ? old?.key.replace(`${base}/a/`, `${base}/x y/`) : old?.key;
      expect(file.key).toBe(key ?? "");
      expect((await send(server, "GET", `/${file.url}`)).text).toBe(old?.key ?? "");
    }
    expect((await a.browse(`${base}/x y/sub`)).folder).toMatchObject({
      id: sub.id,
      name: "sub",
      parentId: folder.id,
    });
    expect((await a.browse(`${base}/x y/empty/deep`)).folder.name).toBe("deep");
    expectFault(await a.get(`/api/folders?key=${base}/a`), 404);
    expectFault(await a.get(`/api/folders?key=${base}/a/sub`), 404);
    expectFault(await send(server, "GET", `/api/hosting/${base}/a/file`), 404);
    expect((await a.browse(base)).folders.length).toBe(neighbours.length + 1);
  });

  test("frees the old name", async () => {
    const folder = await a.folder(unique("rename"));
    await changed({ id: folder.id, name: unique("renamed") });
    expect((await a.folder(folder.key)).id).not.toBe(folder.id);
  });

  test("normalises the name", async () => {
    const folder = await a.folder(`${unique("rename")}/x`);
    expect((await changed({ id: folder.id, name: "e\u0301" })).name).toBe("\u00e9");
  });

  test("accepts another case and names that begin with the old one", async () => {
    const base = unique("rename");
    const folder = await a.folder(`${base}/a`);
    const file = await a.put(`${base}/a/sub/f`);
    for (const name of ["A", "aa", "aaa", "a", "a%", "_"]) {
      expect((await changed({ id: folder.id, name })).key).toBe(`${base}/${name}`);
      expect((await a.file(file.id)).key).toBe(`${base}/${name}/sub/f`);
    }
  });

  test("to the same name is not a conflict, and applies the other changes", async () => {
    const base = unique("rename");
    const file = await a.put(`${base}/f`);
    expect((await changed({ id: file.folderId, name: base })).key).toBe(base);
    await changed({ id: file.folderId, name: base, visibility: "private" });
    expect((await a.file(file.id)).visibility).toBe("private");
  });

  test("can change the visibility too", async () => {
    const file = await a.put(`${unique("rename")}/sub/f`);
    const name = unique("both");
    await changed({ id: file.folderId, name, visibility: "private" });
    const after = await a.file(file.id);
    expect(after.visibility).toBe("private");
    expect(after.key).toEndWith(`/${name}/f`);
  });
});

describe("visibility", () => {
  test("cascades to everything inside and nothing else", async () => {
    const base = await neighbourhood();
    await a.put(`${base}/a/already`, "x", { visibility: "private" });
    const { folder } = await a.browse(`${base}/a`);
    for (const visibility of ["private", "public"]) {
      const result = await changed({ id: folder.id, visibility });
      expect(result).toEqual({ ...folder, updatedAt: result.updatedAt });
      for (const file of await filesBelow(`${base}/`)) {
        const expected = file.key.startsWith(`${base}/a/`) ? visibility : "public";
        expect([file.key, file.visibility]).toEqual([file.key, expected]);
      }
    }
  });

  test("takes effect in hosting at once", async () => {
    const file = await a.put(`${unique("cascade")}/sub/f`);
    const top = (await a.browse(file.key.split("/")[0] ?? "")).folder;
    expect((await send(server, "GET", `/${file.url}`)).status).toBe(200);
    await changed({ id: top.id, visibility: "private" });
    expectFault(await send(server, "GET", `/${file.url}`), 404);
    await changed({ id: top.id, visibility: "public" });
    expect((await send(server, "GET", `/${file.url}`)).status).toBe(200);
  });

  test("does not apply to later uploads", async () => {
    const file = await a.put(`${unique("cascade")}/f`);
    await changed({ id: file.folderId, visibility: "private" });
    expect((await a.put(file.key.replace("/f", "/g"))).visibility).toBe("public");
  });

  test("of the root applies to every file", async () => {
    const root = (await a.browse("")).folder;
    for (const visibility of ["private", "public"]) {
      expect((await changed({ id: root.id, visibility })).id).toBe(root.id);
      const seen = new Set((await a.list()).map((file) => file.visibility));
      expect([...seen].join()).toBe(visibility);
    }
  });

  test("of an empty folder succeeds", async () => {
    const folder = await a.folder(unique("cascade"));
    expect((await changed({ id: folder.id, visibility: "private" })).id).toBe(folder.id);
  });
});

describe("rejects and changes nothing", () => {
  async function expectRefused(body: unknown, status: number, message?: RegExp): Promise<void> {
    expectFault(await expectUnchanged(server, () => change(body)), status, message);
  }

  test("409: a file or folder beside it has the name", async () => {
    const base = unique("conflict");
    const folder = await a.folder(`${base}/one`);
    await a.folder(`${base}/two`);
    await a.put(`${base}/file`);
    await a.put(`${base}/one/inside`);
    await expectRefused({ id: folder.id, name: "two" }, 409, /two/);
    await expectRefused({ id: folder.id, name: "file" }, 409, /file/);
    await expectRefused({ id: folder.id, name: "two", visibility: "private" }, 409);
  });

  test("400: the root cannot be renamed, even with a visibility", async () => {
    const root = (await a.browse("")).folder;
    await a.put(unique("file"));
    await expectRefused({ id: root.id, name: "x" }, 400, /root/i);
    await expectRefused({ id: root.id, name: "x", visibility: "private" }, 400, /root/i);
  });

  test.each(["a/b", "a\\b", "..", ".", "", "  ", "a\u0000", "a\u007f", "\udc00", "n".repeat(256)])(
    "400: the name %j",
    async (name) => {
      const file = await a.put(`${unique("bad")}/f`);
      await expectRefused({ id: file.folderId, name }, 400);
      await expectRefused({ id: file.folderId, name, visibility: "private" }, 400);
    },
  );

  test("400: wrong or missing fields", async () => {
    const file = await a.put(`${unique("bad")}/f`);
    const id = file.folderId;
    await expectRefused({ id }, 400, /name.*visibility.*parentId/);
    await expectRefused({ name: "x" }, 400, /id/);
    await expectRefused({ id: 5, name: "x" }, 400, /id/);
    await expectRefused({ id, name: 5 }, 400, /name/);
    await expectRefused({ id, name: null }, 400, /name/);
    for (const visibility of ["secret", "", "PUBLIC", 1, null]) {
      await expectRefused({ id, visibility }, 400, /visibility/);
      await expectRefused({ id, name: "good", visibility }, 400, /visibility/);
    }
  });

  test("400: keys inside would exceed the limit", async () => {
    const top = unique("top");
    const path = `${top}/${Array.from({ length: 16 }, () => "n".repeat(245)).join("/")}`;
    await a.put(`${path}/f`);
    const { folder } = await a.browse(top);
    await expectRefused({ id: folder.id, name: "m".repeat(250) }, 400);
  });

  test("404: an unknown folder, or the id of a file", async () => {
    const file = await a.put(unique("file"));
    for (const id of ["nope", file.id]) {
      await expectRefused({ id, name: "x" }, 404);
      await expectRefused({ id, visibility: "private" }, 404);
    }
  });
});
