import { afterAll, describe, expect, test } from "bun:test";
import { api, send, unique } from "./client.ts";
import { expectData, expectFault, untilNextSecond } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { fileData } from "./shapes.ts";
import { expectUnchanged } from "./snapshot.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);

const change = (body: unknown) => a.json("PUT", "/api/files", body);
const changed = async (body: unknown) => expectData(await change(body), fileData).file;

async function expectRefused(body: unknown, status: number, message?: RegExp): Promise<void> {
  expectFault(await expectUnchanged(server, () => change(body)), status, message);
}

describe("a rename", () => {
  test("changes only name, key, url and updatedAt", async () => {
    const folder = unique("rename");
    const file = await a.put(`${folder}/old.txt`, "content");
    await untilNextSecond();
    const renamed = await changed({ id: file.id, name: "new name.txt" });
    expect(renamed).toEqual({
      ...file,
      name: "new name.txt",
      key: `${folder}/new name.txt`,
      url: `api/hosting/${folder}/new%20name.txt`,
      updatedAt: renamed.updatedAt,
    });
    expect(renamed.updatedAt > file.updatedAt).toBe(true);
    expect(await a.file(file.id)).toEqual(renamed);
    expect((await send(server, "GET", `/${renamed.url}`)).text).toBe("content");
    expectFault(await send(server, "GET", `/${file.url}`), 404);
  });

  test("keeps ETag and Last-Modified", async () => {
    const file = await a.put(`${unique("rename")}.txt`);
    const before = await send(server, "GET", `/${file.url}`);
    await untilNextSecond();
    const renamed = await changed({ id: file.id, name: `${unique("renamed")}.txt` });
    const after = await send(server, "GET", `/${renamed.url}`);
    expect(before.header("etag")).toMatch(/^"/);
    expect(after.header("etag")).toBe(before.header("etag"));
    expect(after.header("last-modified")).toBe(before.header("last-modified"));
  });

  test("to another extension changes the media type", async () => {
    const file = await a.put(`${unique("rename")}.txt`);
    const renamed = await changed({ id: file.id, name: `${unique("renamed")}.png` });
    expect(renamed.mimeType).toBe("image/png");
    const hosted = await send(server, "GET", `/${renamed.url}`);
    expect(hosted.header("content-type")).toBe("image/png");
  });

  test("frees the old name", async () => {
    const file = await a.put(`${unique("rename")}/old`);
    await changed({ id: file.id, name: "new" });
    expect((await a.put(file.key)).id).not.toBe(file.id);
  });

  test("normalises the name", async () => {
    const file = await a.put(`${unique("rename")}/old`);
    expect((await changed({ id: file.id, name: "e\u0301" })).name).toBe("\u00e9");
  });

  test("to another case is allowed", async () => {
    const file = await a.put(`${unique("rename")}/name`);
    expect((await changed({ id: file.id, name: "NAME" })).name).toBe("NAME");
  });

  test("to the same name is not a conflict, and applies the other changes", async () => {
    const file = await a.put(`${unique("rename")}/same.txt`);
    expect((await changed({ id: file.id, name: "same.txt" })).key).toBe(file.key);
    const both = await changed({ id: file.id, name: "same.txt", visibility: "private" });
    expect(both).toMatchObject({ key: file.key, visibility: "private" });
  });

  test("can change the visibility too", async () => {
    const file = await a.put(`${unique("rename")}/one`);
    expect(await changed({ id: file.id, name: "two", visibility: "private" })).toMatchObject({
      name: "two",
      visibility: "private",
    });
  });

  test("ignores unknown fields", async () => {
    const file = await a.put(`${unique("rename")}/one`);
    const renamed = await changed({
      id: file.id,
      name: "two",
      size: 99,
      parentId: "x",
      owner: "y",
    });
    expect(renamed).toMatchObject({ name: "two", size: file.size, folderId: file.folderId });
  });
});

describe("rejects with 409 and changes nothing", () => {
  test("the name of another file in the folder", async () => {
    const folder = unique("conflict");
    const file = await a.put(`${folder}/one`);
    await a.put(`${folder}/two`);
    await a.put(`${folder}/\u00e9`);
    await expectRefused({ id: file.id, name: "two" }, 409, /two/);
    await expectRefused({ id: file.id, name: "e\u0301" }, 409);
    await expectRefused({ id: file.id, name: "two", visibility: "private" }, 409);
  });

  test("the name of a folder in the folder", async () => {
    const folder = unique("conflict");
    const file = await a.put(`${folder}/one`);
    await a.folder(`${folder}/sub`);
    await expectRefused({ id: file.id, name: "sub" }, 409, /sub/);
  });

  test("but accepts a name that only another folder uses", async () => {
    const folder = unique("free");
    const file = await a.put(`${folder}/one`);
    await a.put(`${folder}/sub/two`);
    expect((await changed({ id: file.id, name: "two" })).key).toBe(`${folder}/two`);
  });
});

describe("rejects with 400 and changes nothing", () => {
  test.each([
    "a/b",
    "/a",
    "a/",
    "a\\b",
    "..",
    ".",
    "../x",
    "",
    "   ",
    "\t",
    "a\u0000b",
    "a\nb",
    "a\u007fb",
    "\ud800",
    "a\udfffb",
    "n".repeat(256),
    "é".repeat(128),
  ])("name %j", async (name) => {
    const file = await a.put(`${unique("bad")}/one`);
    await expectRefused({ id: file.id, name }, 400);
    await expectRefused({ id: file.id, name, visibility: "private" }, 400);
  });

  test("nothing to change", async () => {
    const file = await a.put(`${unique("bad")}/one`);
    await expectRefused({ id: file.id }, 400, /name.*visibility.*folderId/);
  });

  test.each([["secret"], [""], ["Public"], [1], [null], [true], [["public"]]])(
    "visibility %j, even with a valid name",
    async (visibility) => {
      const file = await a.put(`${unique("bad")}/one`);
      await expectRefused({ id: file.id, visibility }, 400, /visibility/);
      await expectRefused({ id: file.id, name: "two", visibility }, 400, /visibility/);
    },
  );

  test.each([[5], [null], [true], [["x"]], [{}]])("name %j", async (name) => {
    const file = await a.put(`${unique("bad")}/one`);
    await expectRefused({ id: file.id, name }, 400, /name/);
  });

  test("a missing id, or one that is not a string", async () => {
    await expectRefused({ name: "x" }, 400, /id/);
    await expectRefused({ id: 5, name: "x" }, 400, /id/);
    await expectRefused({ id: null, name: "x" }, 400, /id/);
  });
});

test("404 for an unknown file", async () => {
  const folder = await a.folder(unique("folder"));
  await expectRefused({ id: "nope", name: "x" }, 404);
  await expectRefused({ id: "nope", visibility: "private" }, 404);
  await expectRefused({ id: folder.id, name: "x" }, 404);
});

test("rejects a key that becomes too long", async () => {
  const path = `${Array.from({ length: 16 }, () => "n".repeat(250)).join("/")}/`;
  const file = await a.put(`${path}f`);
  await expectRefused({ id: file.id, name: "m".repeat(4_096 - path.length + 1) }, 400);
});
