import { afterAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { api, send, unique } from "./client.ts";
import { expectData, expectFault, untilNextSecond } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { fileData, filesChanged, folderData, signedData } from "./shapes.ts";
import { expectUnchanged } from "./snapshot.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);

const changeFile = (body: unknown) => a.json("PUT", "/api/files", body);
const changeFolder = (body: unknown) => a.json("PUT", "/api/folders", body);
const movedFile = async (body: unknown) => expectData(await changeFile(body), fileData).file;
const movedFolder = async (body: unknown) =>
  expectData(await changeFolder(body), folderData).folder;

async function expectRefused(
  act: () => ReturnType<typeof changeFile>,
  status: number,
  message?: RegExp,
): Promise<void> {
  expectFault(await expectUnchanged(server, act), status, message);
}

describe("moving a file", () => {
  test("changes folderId, key, url and updatedAt, and nothing else", async () => {
    const base = unique("move");
    const file = await a.put(`${base}/from/a b.txt`, "content");
    const to = await a.folder(`${base}/to/deep`);
    await untilNextSecond();
    const moved = await movedFile({ id: file.id, folderId: to.id });
    expect(moved).toEqual({
      ...file,
      folderId: to.id,
      key: `${base}/to/deep/a b.txt`,
      url: `api/hosting/${base}/to/deep/a%20b.txt`,
      updatedAt: moved.updatedAt,
    });
    expect(moved.updatedAt > file.updatedAt).toBe(true);
    expect(await a.file(file.id)).toEqual(moved);
    expect((await a.browse(to.key)).files).toEqual([moved]);
    expect((await a.browse(`${base}/from`)).files).toEqual([]);
    expect((await send(server, "GET", `/${moved.url}`)).text).toBe("content");
    expectFault(await send(server, "GET", `/${file.url}`), 404);
  });

  test("keeps ETag and Last-Modified", async () => {
    const file = await a.put(`${unique("move")}/f.txt`);
    const before = await send(server, "GET", `/${file.url}`);
    const to = await a.folder(unique("to"));
    await untilNextSecond();
    const moved = await movedFile({ id: file.id, folderId: to.id });
    const after = await send(server, "GET", `/${moved.url}`);
    expect(before.header("etag")).toMatch(/^"/);
    expect(after.header("etag")).toBe(before.header("etag"));
    expect(after.header("last-modified")).toBe(before.header("last-modified"));
  });

  test("can change the name and visibility too", async () => {
    const file = await a.put(`${unique("move")}/f.txt`);
    const to = await a.folder(unique("to"));
    const change = { id: file.id, folderId: to.id, name: "g.png", visibility: "private" };
    expect(await movedFile(change)).toMatchObject({
      key: `${to.key}/g.png`,
      mimeType: "image/png",
      visibility: "private",
    });
  });

  test("into the root and back again", async () => {
    const file = await a.put(`${unique("move")}/${unique("f")}`);
    const root = (await a.browse("")).folder;
    expect((await movedFile({ id: file.id, folderId: root.id })).key).toBe(file.name);
    expect((await movedFile({ id: file.id, folderId: file.folderId })).key).toBe(file.key);
  });

  test("to its own folder is not a conflict and changes nothing", async () => {
    const file = await a.put(`${unique("move")}/f`);
    await untilNextSecond();
    expect(await movedFile({ id: file.id, folderId: file.folderId })).toEqual(file);
    const change = { id: file.id, folderId: file.folderId, visibility: "private" };
    expect(await movedFile(change)).toMatchObject({ key: file.key, visibility: "private" });
  });

  test("frees its name and invalidates its signed URLs", async () => {
    const file = await a.put(`${unique("move")}/f`, "first", { visibility: "private" });
    const signed = expectData(await a.json("POST", "/api/files/sign", { id: file.id }), signedData);
    expect((await send(server, "GET", `/${signed.url}`)).text).toBe("first");
    const to = await a.folder(unique("to"));
    const moved = await movedFile({ id: file.id, folderId: to.id });
    const query = signed.url.slice(signed.url.indexOf("?"));
    expectFault(await send(server, "GET", `/${signed.url}`), 404);
    expectFault(await send(server, "GET", `/${moved.url}${query}`), 404);
    const second = await a.put(file.key, "second", { visibility: "private" });
    expect(second.id).not.toBe(file.id);
    expectFault(await send(server, "GET", `/${signed.url}`), 404);
  });
});

describe("changing several files", () => {
  test("moves those that can be moved, and says why others stay", async () => {
    const base = unique("several");
    const [first, second, third] = [
      await a.put(`${base}/from/a`),
      await a.put(`${base}/from/b`),
      await a.put(`${base}/from/c`),
    ];
    const { folderId } = await a.put(`${base}/to/c`);
    const ids = [first, { id: "nobody" }, second, third, first].map(({ id }) => id);
    const changed = expectData(
      await changeFile({ ids, folderId, visibility: "private" }),
      filesChanged,
    );
    expect(changed.files.map(({ id, key, visibility }) => [id, key, visibility])).toEqual([
      [first.id, `${base}/to/a`, "private"],
      [second.id, `${base}/to/b`, "private"],
    ]);
    expect(changed.failed).toEqual([
      { id: "nobody", message: "File not found." },
      {
        id: third.id,
        message: 'A file named "c" already exists in this folder.',
        takenBy: "file",
      },
    ]);
    expect((await a.browse(`${base}/to`)).files).toEqual(expect.arrayContaining(changed.files));
    expect(await a.file(third.id)).toEqual(third);
    expectFault(await send(server, "GET", `/${first.url}`), 404);
  });

  test("rejects names, metadata, too many ids, and unknown ids alone", async () => {
    const file = await a.put(`${unique("several")}/f`);
    const ids = [file.id];
    const { folderId } = file;
    await expectRefused(() => changeFile({ ids, name: "x" }), 400, /`name` and `metadata`/);
    await expectRefused(() => changeFile({ ids, metadata: null }), 400, /`name` and `metadata`/);
    await expectRefused(() => changeFile({ ids }), 400, /at least one/);
    await expectRefused(() => changeFile({ ids, id: file.id, folderId }), 400, /not both/);
    await expectRefused(() => changeFile({ ids: [], folderId }), 400, /1 to 5000/);
    const many = Array.from({ length: 5_001 }, (_, at) => `x${at}`);
    await expectRefused(() => changeFile({ ids: many, folderId }), 400, /5001/);
    await expectRefused(() => changeFile({ ids: ["x", "y"], folderId }), 404, /^File not found/);
    await expectRefused(() => changeFile({ ids, folderId: "nobody" }), 404, /to move to/);
  });
});

describe("onConflict", () => {
  async function meeting() {
    const base = unique("meeting");
    const file = await a.put(`${base}/from/x.txt`, "new");
    const taken = await a.put(`${base}/to/x.txt`, "old");
    return { base, file, taken, folderId: taken.folderId };
  }

  test("replace: the URL serves the moved file, and both can be undone", async () => {
    const { file, taken, folderId } = await meeting();
    const body = { id: file.id, folderId, onConflict: "replace", trash: true };
    const { file: moved, undoId } = expectData(
      await changeFile(body),
      fileData.extend({ undoId: z.string() }),
    );
    expect(moved).toEqual({
      ...file,
      folderId,
      key: taken.key,
      url: taken.url,
      updatedAt: moved.updatedAt,
    });
    expect((await send(server, "GET", `/${taken.url}`)).text).toBe("new");
    await movedFile({ id: file.id, folderId: file.folderId });
    expect((await a.json("POST", "/api/trash/restore", { undoId })).status).toBe(200);
    expect((await send(server, "GET", `/${taken.url}`)).text).toBe("old");
    expect((await a.file(taken.id)).key).toBe(taken.key);
  });

  test("replace without the trash deletes the file permanently", async () => {
    const { file, taken, folderId } = await meeting();
    const body = { ids: [file.id], folderId, onConflict: "replace" };
    const changed = expectData(await changeFile(body), filesChanged);
    expect(changed).toMatchObject({ files: [{ id: file.id, key: taken.key }], failed: [] });
    expect(changed.undoId).toBeUndefined();
    expectFault(await a.get(`/api/files?id=${taken.id}`), 404);
  });

  test("keepBoth and skip, for a file, several files and a folder", async () => {
    const { base, file, folderId } = await meeting();
    expect(await movedFile({ id: file.id, folderId, onConflict: "skip" })).toEqual(file);
    const keepBoth = { ids: [file.id], folderId, onConflict: "keepBoth" };
    const { files } = expectData(await changeFile(keepBoth), filesChanged);
    expect(files.map(({ key }) => key)).toEqual([`${base}/to/x (2).txt`]);
    const { id, key } = await a.folder(`${base}/other/to`);
    const parentId = (await a.browse(base)).folder.id;
    const move = { id, parentId };
    expect((await movedFolder({ ...move, onConflict: "skip" })).key).toBe(key);
    expect((await movedFolder({ ...move, onConflict: "keepBoth" })).key).toBe(`${base}/to (2)`);
  });

  test("rejects unknown values, and replacing a folder, with 400 or 409", async () => {
    const { base, file, folderId } = await meeting();
    const body = { id: file.id, folderId };
    await expectRefused(() => changeFile({ ...body, onConflict: "overwrite" }), 400, /onConflict/);
    await expectRefused(() => changeFile({ ...body, onConflict: null }), 400, /onConflict/);
    await expectRefused(() => changeFile({ ...body, trash: 1 }), 400, /trash/);
    await expectRefused(() => changeFile({ id: file.id, onConflict: "skip" }), 400, /at least one/);
    const folder = await a.folder(`${base}/other/x.txt`);
    const onto = { id: file.id, folderId: folder.parentId, onConflict: "replace" };
    await expectRefused(() => changeFile(onto), 409, /folder named/);
    const replace = { id: folder.id, parentId: folderId, onConflict: "replace" };
    await expectRefused(() => changeFolder(replace), 400, /onConflict/);
  });
});

describe("moving a folder", () => {
  test("moves everything inside and nothing else", async () => {
    const base = unique("move");
    const paths = ["p/a/f", "p/a/b/c/f", "p/ab/f", "p/a!/f", "p/a0/f", "q/f"];
    const files = await Promise.all(paths.map((path) => a.put(`${base}/${path}`)));
    await a.folder(`${base}/p/a/empty`);
    const { folder } = await a.browse(`${base}/p/a`);
    const { folder: to } = await a.browse(`${base}/q`);
    await untilNextSecond();
    const moved = await movedFolder({ id: folder.id, parentId: to.id });
    expect(moved).toEqual({
      ...folder,
      parentId: to.id,
      key: `${base}/q/a`,
      updatedAt: moved.updatedAt,
    });
    expect(moved.updatedAt > folder.updatedAt).toBe(true);
    for (const file of files) {
      const key = file.key.replace(`${base}/p/a/`, `${base}/q/a/`);
      const now = await a.file(file.id);
      expect(now).toEqual({ ...file, key, url: `api/hosting/${key}` });
      expect((await send(server, "GET", `/${now.url}`)).text).toBe(file.key);
    }
    expect((await a.browse(`${base}/q`)).folders.map(({ name }) => name)).toEqual(["a"]);
    expect((await a.browse(`${base}/q/a/empty`)).folder.name).toBe("empty");
    expectFault(await a.get(`/api/folders?key=${base}/p/a`), 404);
  });

  test("can change the name and visibility too", async () => {
    const file = await a.put(`${unique("move")}/a/sub/f`);
    const folder = (await a.browse(file.key.replace("/sub/f", ""))).folder;
    const to = await a.folder(unique("to"));
    const change = { id: folder.id, parentId: to.id, name: "z", visibility: "private" };
    expect((await movedFolder(change)).key).toBe(`${to.key}/z`);
    expect(await a.file(file.id)).toMatchObject({
      key: `${to.key}/z/sub/f`,
      visibility: "private",
    });
  });

  test("to its own parent is not a conflict and changes nothing", async () => {
    const folder = await a.folder(`${unique("move")}/a`);
    await untilNextSecond();
    expect(await movedFolder({ id: folder.id, parentId: folder.parentId })).toEqual(folder);
  });
});

describe("rejects and changes nothing", () => {
  test("409: a file or folder in the target has the name", async () => {
    const base = unique("conflict");
    const file = await a.put(`${base}/from/x`);
    const { id } = await a.folder(`${base}/other/x`);
    const taken = await a.put(`${base}/file/x`);
    const beside = await a.folder(`${base}/folder/x`);
    for (const target of [taken.folderId, beside.parentId]) {
      await expectRefused(() => changeFile({ id: file.id, folderId: target }), 409, /"x"/);
      await expectRefused(() => changeFolder({ id, parentId: target }), 409, /"x"/);
      const more = { visibility: "private", name: "x" };
      await expectRefused(() => changeFile({ id: file.id, folderId: target, ...more }), 409);
      await expectRefused(() => changeFolder({ id, parentId: target, ...more }), 409);
    }
  });

  test("400: a folder into itself or its descendants, and the root", async () => {
    const base = unique("ring");
    const file = await a.put(`${base}/a/b/f`);
    const top = (await a.browse(base)).folder;
    const inner = (await a.browse(`${base}/a`)).folder;
    for (const parentId of [top.id, inner.id, file.folderId]) {
      await expectRefused(() => changeFolder({ id: top.id, parentId }), 400, /itself/);
      const more = { name: "other", visibility: "private" };
      await expectRefused(() => changeFolder({ id: top.id, parentId, ...more }), 400, /itself/);
    }
    const root = (await a.browse("")).folder;
    await expectRefused(() => changeFolder({ id: root.id, parentId: top.id }), 400, /root/);
  });

  test("404: names the missing file, folder or target", async () => {
    const file = await a.put(`${unique("missing")}/f`);
    const { id, folderId } = file;
    await expectRefused(() => changeFile({ id: "nope", folderId }), 404, /file/);
    await expectRefused(() => changeFolder({ id: "nope", parentId: folderId }), 404, /folder\./);
    for (const target of ["nope", id, ""]) {
      await expectRefused(() => changeFile({ id, folderId: target }), 404, /to move to/);
      const toTarget = { id: folderId, parentId: target, visibility: "private" };
      await expectRefused(() => changeFolder(toTarget), 404, /to move to/);
    }
  });

  test.each([[5], [null], [true], [["x"]], [{}]])("400: the target %j", async (target) => {
    const file = await a.put(`${unique("bad")}/f`);
    await expectRefused(() => changeFile({ id: file.id, folderId: target }), 400, /folderId/);
    await expectRefused(() => changeFolder({ id: file.folderId, parentId: target }), 400, /parent/);
  });

  test("400: a key that becomes too long or too deep", async () => {
    const base = unique("deep");
    const file = await a.put(`${base}/from/${"n".repeat(250)}`);
    const long = await a.folder(
      `${base}/${Array.from({ length: 16 }, () => "n".repeat(240)).join("/")}`,
    );
    const deep = await a.folder(`${base}/${"d/".repeat(126)}d`);
    for (const { id } of [long, deep]) {
      await expectRefused(() => changeFile({ id: file.id, folderId: id }), 400);
      await expectRefused(() => changeFolder({ id: file.folderId, parentId: id }), 400);
    }
  });
});
