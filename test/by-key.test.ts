import { afterAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { api, unique } from "./client.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import type { HttpResponse } from "./http-response.ts";
import { administrator } from "./session.ts";
import { fileData, filesData, folderData } from "./shapes.ts";

const server = await startServer({ ...administrator, MAX_DELETE_BATCH: "3" });
afterAll(() => server.discard());
const a = api(server);

const failed = z.array(z.object({ key: z.string(), code: z.string(), message: z.string() }));
const deletion = z.object({ deleted: z.array(z.string()), failed });
const changed = filesData.extend({ failed });

const exists = async (key: string): Promise<boolean> =>
  (await a.get(`/api/files?key=${encodeURIComponent(key)}`)).status === 200;

const codeOf = ({ text }: HttpResponse): unknown => JSON.parse(text).error?.code;

describe("files by their keys", () => {
  test("are deleted, each alone, and unknown ones are named with their code", async () => {
    const folder = unique("keys");
    const file = await a.put(`${folder}/a.txt`);
    const keys = [file.key, `${folder}/none`, `/${folder}//a.txt`];
    const { deleted, failed: refused } = expectData(
      await a.json("DELETE", "/api/files", { keys }),
      deletion,
    );
    expect(deleted).toEqual([file.id]);
    expect(refused).toMatchObject([{ key: `${folder}/none`, code: "not_found" }]);
    expectFault(await a.json("DELETE", "/api/files", { key: file.key }), 404);
  });

  test("go to the trash, and come back", async () => {
    const { key } = await a.put(`${unique("keys")}/a.txt`);
    const deleted = await a.json("DELETE", "/api/files", { key, trash: true });
    const { undoId } = expectData(deleted, z.object({ undoId: z.string() }));
    expect(await exists(key)).toBe(false);
    expectData(await a.json("POST", "/api/trash/restore", { undoId }), z.unknown());
    expect(await exists(key)).toBe(true);
  });

  test("are renamed and moved, with the folder by its key as well", async () => {
    const folder = unique("keys");
    const { id, key } = await a.put(`${folder}/from/a.txt`);
    await a.folder(`${folder}/to`);
    const body = { key, folder: `/${folder}/to/`, name: "b.txt" };
    const { file } = expectData(await a.json("PUT", "/api/files", body), fileData);
    expect(file).toMatchObject({ id, key: `${folder}/to/b.txt` });
    const toRoot = await a.json("PUT", "/api/files", { key: file.key, folder: "/", name: folder });
    // The folder of this name is there.
    expect(codeOf(toRoot)).toBe("name_taken");
  });

  test("are moved together, and what cannot be is named by its key", async () => {
    const folder = unique("keys");
    const keys = [`${folder}/a`, `${folder}/b`, `${folder}/none`];
    await a.put(keys[0] ?? "");
    await a.put(keys[1] ?? "");
    await a.put(`${folder}/to/b`);
    const result = expectData(
      await a.json("PUT", "/api/files", { keys, folder: `${folder}/to` }),
      changed,
    );
    expect(result.files.map(({ key }) => key)).toEqual([`${folder}/to/a`]);
    expect(result.failed).toMatchObject([
      { key: keys[1], code: "name_taken" },
      { key: keys[2], code: "not_found" },
    ]);
  });

  test("are copied", async () => {
    const folder = unique("keys");
    const { key } = await a.put(`${folder}/a.txt`, "content");
    const copies = await a.json("POST", "/api/files/copy", { key, folder, name: "b.txt" });
    expect(expectData(copies, filesData).files).toMatchObject([{ key: `${folder}/b.txt` }]);
    const missing = await a.json("POST", "/api/files/copy", { keys: [key, `${folder}/none`] });
    expect(expectFault(missing, 404)).toContain(`${folder}/none`);
  });
});

test("folders are changed, moved, copied and deleted by their keys", async () => {
  const root = unique("keys");
  const { id } = await a.folder(`${root}/a`);
  await a.folder(`${root}/to`);
  const change = { key: `${root}/a`, parent: `${root}/to`, name: "b" };
  const { folder } = expectData(await a.json("PUT", "/api/folders", change), folderData);
  expect(folder).toMatchObject({ id, key: `${root}/to/b` });
  const copied = await a.json("POST", "/api/folders/copy", { folder: folder.key, parent: root });
  expect(expectData(copied, folderData.loose()).folder.key).toBe(`${root}/b`);
  const deleted = await a.json("DELETE", "/api/folders", { folder: folder.key });
  expect(expectData(deleted, z.object({ deleted: z.array(z.string()) })).deleted).toEqual([id]);
  expectFault(await a.json("DELETE", "/api/folders", { key: folder.key }), 404);
});

test("the audit log names what was meant by its key", async () => {
  const { key } = await a.put(`${unique("keys")}/a.txt`);
  await a.json("DELETE", "/api/files", { key });
  await eventually("the deletion is recorded", async () => {
    const { text } = await a.get("/api/activity?action=deleteFiles&limit=1");
    return JSON.parse(text).data.activity[0]?.subject?.key === key;
  });
});

test("of many that move a file away from its key exactly one does", async () => {
  const folder = unique("keys");
  const { key, id } = await a.put(`${folder}/a.txt`);
  const moves = Array.from({ length: 8 }, (_, n) =>
    a.json("PUT", "/api/files", { key, name: `${n}.txt` }),
  );
  const answers = await Promise.all(moves);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 404)).toHaveLength(7);
  expect(await a.file(id)).toMatchObject({ folderId: expect.any(String) });
});

describe("refused with nothing done", () => {
  const files = "/api/files";
  const folders = "/api/folders";
  test.each<[string, string, string, object]>([
    ["an empty key", "DELETE", files, { key: "" }],
    ["an empty key in a list", "DELETE", files, { keys: ["a", ""] }],
    ["an empty list", "DELETE", files, { keys: [] }],
    ["too many", "DELETE", files, { keys: ["a", "b", "c", "d"] }],
    ["an id and a key", "DELETE", files, { id: "x", key: "a" }],
    ["ids and keys", "DELETE", files, { ids: ["x"], keys: ["a"] }],
    ["neither", "DELETE", files, {}],
    ["an invalid key", "DELETE", files, { key: "a/../b" }],
    ["an empty target", "PUT", files, { key: "a", folder: "" }],
    ["two targets", "PUT", files, { key: "a", folder: "b", folderId: "x" }],
    ["a name for many", "PUT", files, { keys: ["a", "b"], name: "c" }],
    ["a folder's empty key", "DELETE", folders, { key: "" }],
    ["a folder's id and key", "DELETE", folders, { id: "x", key: "a" }],
    ["a folder's two keys", "DELETE", folders, { key: "a", folder: "b" }],
    ["the root", "DELETE", folders, { key: "/" }],
    ["an empty parent", "PUT", folders, { key: "a", parent: "" }],
  ])("%s", async (_, method, path, body) => {
    await a.folder(unique("a")).catch(() => {});
    const response = await a.json(method, path, body);
    expectFault(response, 400);
    expect(codeOf(response)).toBe("invalid_request");
  });
});

describe("links by key", () => {
  const link = z.object({
    link: z.object({ subject: z.object({ kind: z.string(), id: z.string(), key: z.string() }) }),
  });

  test("share a file or a folder, which they follow afterwards", async () => {
    const folder = unique("keys");
    const { id, key, folderId } = await a.put(`${folder}/a.txt`);
    const ofFile = expectData(await a.json("POST", "/api/links", { key }), link);
    expect(ofFile.link.subject).toMatchObject({ kind: "file", id, key });
    for (const text of [folder, `/${folder}/`]) {
      const body = { folder: text, kind: "drop" };
      const ofFolder = expectData(await a.json("POST", "/api/links", body), link);
      expect(ofFolder.link.subject).toMatchObject({ kind: "folder", id: folderId });
    }
  });

  test("are refused for what does not exist, for both selectors and for empty keys", async () => {
    const folder = unique("keys");
    const { id, key, folderId } = await a.put(`${folder}/a.txt`);
    for (const body of [{ key: folder }, { key: `${key}x` }, { folder: key }]) {
      expectFault(await a.json("POST", "/api/links", body), 404);
    }
    for (const body of [
      { key: "" },
      { folder: "" },
      { key, fileId: id },
      { folder, folderId },
      { key, folder },
      { key, folderId },
      { key, kind: "drop" },
    ]) {
      expectFault(await a.json("POST", "/api/links", body), 400);
    }
  });
});

describe("zips by key", () => {
  const zip = (body: object) => a.json("POST", "/api/files/download", body);

  test("have files and folders by their keys, each once, also beside ids", async () => {
    const folder = unique("keys");
    const { id, key, folderId } = await a.put(`${folder}/in/a.txt`);
    const byIds = await zip({ ids: [id], folderIds: [folderId] });
    expect(byIds.status).toBe(200);
    const byKeys = await zip({ keys: [key, `/${key}`], folders: [`${folder}/in/`] });
    expect(byKeys.text).toBe(byIds.text);
    const both = await zip({ ids: [id], keys: [key] });
    expect(both.header("content-disposition")).toContain("a.txt.zip");
    const query = `keys=${encodeURIComponent(key)}&folders=${encodeURIComponent(`${folder}/in`)}`;
    expect((await a.get(`/api/files/download?${query}`)).text).toBe(byIds.text);
  });

  test("are refused for what does not exist, and for empty keys", async () => {
    const { key } = await a.put(`${unique("keys")}/a.txt`);
    expectFault(await zip({ keys: [key, `${key}x`] }), 404, /a\.txtx/);
    expectFault(await zip({ folders: [key] }), 404);
    expectFault(await zip({ keys: [""] }), 400);
    expectFault(await zip({ keys: [], folders: [] }), 400);
  });
});
