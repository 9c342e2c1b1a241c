import { afterAll, expect, test } from "bun:test";
import { api, send, unique } from "./client.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { field, filePart } from "./multipart.ts";
import { deletedData, filesData } from "./shapes.ts";
import { blobsOf, expectUnchanged } from "./snapshot.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);

const remove = (body: unknown) => a.json("DELETE", "/api/folders", body);

test("deletes a folder with everything inside and nothing else", async () => {
  const base = unique("delete");
  const size = 1_234_567;
  const beside = ["ab", "a_b", "a%", "a-", "a.", "a0", "a ", "A"];
  for (const name of beside) await a.put(`${base}/${name}/file`);
  const file = await a.put(`${base}/a/sub/deep/file.bin`, Buffer.alloc(size));
  await a.put(`${base}/a/file`);
  await a.folder(`${base}/a/empty`);
  const { folder } = await a.browse(`${base}/a`);

  expect(expectData(await remove({ id: folder.id }), deletedData).deleted).toEqual([folder.id]);

  const left = (await a.list()).map((one) => one.key).filter((key) => key.startsWith(`${base}/`));
  expect(left.sort()).toEqual(beside.map((name) => `${base}/${name}/file`).sort());
  expect((await a.browse(base)).folders.length).toBe(beside.length);
  for (const key of ["a", "a/sub", "a/sub/deep", "a/empty"]) {
    expectFault(await a.get(`/api/folders?key=${base}/${key}`), 404);
  }
  expectFault(await send(server, "GET", `/${file.url}`), 404);
  expectFault(await a.get(`/api/files/download/${file.id}`), 404);
  for (const key of left) {
    const url = key.split("/").map(encodeURIComponent).join("/");
    expect((await send(server, "GET", `/api/hosting/${url}`)).status).toBe(200);
  }
  await eventually("its bytes are gone", () =>
    blobsOf(server.dataPath).every((blob) => !blob.endsWith(` ${size}`)),
  );
});

test("frees the name, and a new folder with it is empty", async () => {
  const file = await a.put(`${unique("delete")}/f`);
  const key = file.key.split("/")[0] ?? "";
  await remove({ id: file.folderId });
  const folder = await a.folder(key);
  expect(folder.id).not.toBe(file.folderId);
  expect((await a.browse(key)).files).toEqual([]);
});

test("deletes a large folder at once", async () => {
  const base = unique("delete");
  for (let at = 0; at < 60; at += 1) await a.folder(`${base}/${at}/${at}`);
  const { folder } = await a.browse(base);
  expectData(await remove({ id: folder.id }), deletedData);
  expectFault(await a.get(`/api/folders?key=${base}/7/7`), 404);
});

test("a folder with many files disappears at once while its files are still being removed", async () => {
  const name = unique("delete");
  const put = (round: number) =>
    a.upload([
      field("folder", `${name}/${round % 3}`),
      ...Array.from({ length: 100 }, (_, index) => filePart(`${round}-${index}`, name)),
    ]);
  for (let round = 0; round < 12; round += 1) expectData(await put(round), filesData);
  const { folder } = await a.browse(name);
  const [file] = (await a.browse(`${name}/0`)).files;
  const before = (await a.list()).length;

  expectData(await remove({ id: folder.id }), deletedData);
  expect((await a.list()).length).toBe(before - 1200);
  expectFault(await a.get(`/api/files?id=${file?.id}`), 404);
  expectFault(await a.get(`/api/files?key=${name}/0/0-0`), 404);
  expectFault(await a.get(`/api/folders?id=${folder.id}`), 404);
  expectFault(await a.json("PUT", "/api/files", { id: file?.id, name: "other" }), 404);
  expectFault(await a.json("DELETE", "/api/files", { id: file?.id }), 404);
  expectFault(await remove({ id: folder.id }), 404);
  const fresh = await a.put(`${name}/0/0-0`, "new");
  expect((await a.list(`?name=0-0`)).filter(({ key }) => key.startsWith(name))).toEqual([fresh]);
  await eventually("its bytes are gone, and only its", () => {
    const left = blobsOf(server.dataPath).filter((blob) => blob.endsWith(` ${name.length}`));
    return left.length === 0;
  });
  expect((await send(server, "GET", `/${fresh.url}`)).text).toBe("new");
});

test("rejects the root with 400 and deletes nothing", async () => {
  await a.put(`${unique("kept")}/f`);
  const root = (await a.browse("")).folder;
  expectFault(await expectUnchanged(server, () => remove({ id: root.id })), 400, /root/i);
});

test("404 for an unknown or deleted folder and for a file", async () => {
  const gone = await a.folder(unique("gone"));
  await remove({ id: gone.id });
  const file = await a.put(unique("file"));
  for (const id of ["nope", "", gone.id, file.id]) {
    expectFault(await expectUnchanged(server, () => remove({ id })), 404);
  }
});

test.each(["{}", '{"id":5}', '{"id":null}', '{"ids":["x"]}', '{"id":[]}', '{"name":"x"}'])(
  "400 for %s",
  async (body) => {
    expectFault(await expectUnchanged(server, () => remove(body)), 400, /id/);
  },
);
