import { afterAll, describe, expect, test } from "bun:test";
import { api, unique } from "./client.ts";
import { expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { fileData } from "./shapes.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);

const get = (query: string) => a.get(`/api/files?${query}`);

test("returns the object of the upload by id and by key", async () => {
  const file = await a.put(`${unique("fetch")}/sub/file.txt`);
  expect(expectData(await get(`id=${file.id}`), fileData).file).toEqual(file);
  const byKey = await get(`key=${encodeURIComponent(file.key)}`);
  expect(expectData(byKey, fileData).file).toEqual(file);
  expect(expectData(await get(`key=${file.key}`), fileData).file).toEqual(file);
});

test("returns private files", async () => {
  const file = await a.put(unique("fetch"), "x", { visibility: "private" });
  expect(expectData(await get(`key=${file.key}`), fileData).file).toEqual(file);
});

test("normalises the key", async () => {
  const file = await a.put(`${unique("fetch")}/\u00fcber-\u00e9.txt`);
  const asked = encodeURIComponent(file.key.normalize("NFD"));
  expect(expectData(await get(`key=${asked}`), fileData).file).toEqual(file);
});

describe("rejects with 404", () => {
  test.each(["id=nope", "key=nope", "key=nope/deeper/still", "id=%00", "id=%F0%9F%98%80"])(
    "%s",
    async (query) => {
      expectFault(await get(query), 404);
    },
  );

  test("the key in another case", async () => {
    const file = await a.put(unique("case"));
    expectFault(await get(`key=${file.key.toUpperCase()}`), 404);
  });

  test("the key or the id of a folder", async () => {
    const folder = await a.folder(unique("folder"));
    expectFault(await get(`key=${folder.key}`), 404);
    expectFault(await get(`id=${folder.id}`), 404);
  });

  test("the id of a deleted file", async () => {
    const file = await a.put(unique("gone"));
    await a.json("DELETE", "/api/files", { id: file.id });
    expectFault(await get(`id=${file.id}`), 404);
    expectFault(await get(`key=${file.key}`), 404);
  });
});

describe("rejects more than one selector, even for the same file", () => {
  test.each(["id key", "id name", "key name", "id key name"])("%s", async (selectors) => {
    const file = await a.put(unique("both"));
    const values = new Map([
      ["id", file.id],
      ["key", file.key],
      ["name", file.name],
    ]);
    const query = selectors.split(" ").map((selector) => `${selector}=${values.get(selector)}`);
    expectFault(await get(query.join("&")), 400);
  });
});
