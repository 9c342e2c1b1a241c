import { afterAll, expect, test } from "bun:test";
import { api, send, unique } from "./client.ts";
import { expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { fileData, folderData } from "./shapes.ts";

const server = await startServer();
const shy = await startServer({ DEFAULT_FILE_VISIBILITY: "private" });
afterAll(async () => {
  await server.discard();
  await shy.discard();
});
const a = api(server);

const set = async (id: string, visibility: string) =>
  expectData(await a.json("PUT", "/api/files", { id, visibility }), fileData).file;

test("changes access and nothing else, from public to private and back", async () => {
  const file = await a.put(`${unique("vis")}.txt`, "content");
  const open = await send(server, "GET", `/${file.url}`);
  expect(open.status).toBe(200);

  const closed = await set(file.id, "private");
  expect(closed).toEqual({ ...file, visibility: "private", updatedAt: closed.updatedAt });
  expectFault(await send(server, "GET", `/${file.url}`), 404);
  const withKey = await a.get(`/${file.url}`);
  expect(withKey.text).toBe("content");
  expect(withKey.header("cache-control")).toBe("private, no-store");
  expect(withKey.header("etag")).toBeNull();
  expect(withKey.header("last-modified")).toBeNull();

  const again = await set(file.id, "public");
  expect(again).toEqual({ ...file, updatedAt: again.updatedAt });
  const reopened = await send(server, "GET", `/${file.url}`);
  expect(reopened.text).toBe("content");
  expect(reopened.header("etag")).toBe(open.header("etag"));
  expect(reopened.header("last-modified")).toBe(open.header("last-modified"));
});

test("accepts the current value", async () => {
  const file = await a.put(unique("vis"));
  expect((await set(file.id, "public")).visibility).toBe("public");
});

test("DEFAULT_FILE_VISIBILITY applies to uploads without visibility", async () => {
  const b = api(shy);
  const silent = await b.put("silent.txt");
  expect(silent.visibility).toBe("private");
  expectFault(await send(shy, "GET", `/${silent.url}`), 404);
  const loud = await b.put("loud.txt", "x", { visibility: "public" });
  expect(loud.visibility).toBe("public");
});

test("uploads after a cascade use the default of the instance", async () => {
  const b = api(shy);
  const first = await b.put("cascade/first.txt");
  const answer = await b.json("PUT", "/api/folders", { id: first.folderId, visibility: "public" });
  expectData(answer, folderData);
  expect((await b.file(first.id)).visibility).toBe("public");
  expect((await b.put("cascade/second.txt")).visibility).toBe("private");
});
