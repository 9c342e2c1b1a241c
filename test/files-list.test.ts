import { afterAll, describe, expect, test } from "bun:test";
import { api, unique } from "./client.ts";
import { expectData, expectFault, untilAfter } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { field, filePart } from "./multipart.ts";
import { filesData } from "./shapes.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);

const names = (files: readonly { name: string }[]) => files.map((file) => file.name);
const keys = (files: readonly { key: string }[]) => files.map((file) => file.key);

/** Uploads files one after another, so that each is newer than the one before. */
async function inTurn(...paths: string[]) {
  const files = [];
  for (const path of paths) {
    files.push(await a.put(path, "x".repeat(files.length + 1)));
    await untilAfter(Date.now());
  }
  return files;
}

test("is empty for an empty instance", async () => {
  expect(await a.list()).toEqual([]);
});

test("contains the files of all folders, newest first", async () => {
  const one = unique("list");
  await inTurn(`${one}/first`, `${one}/deep/down/second`, `${one}-third`);
  const all = keys(await a.list()).filter((key) => key.startsWith(one));
  expect(all).toEqual([`${one}-third`, `${one}/deep/down/second`, `${one}/first`]);
});

describe("a name", () => {
  const name = unique("same-name.txt");

  test("selects the files with exactly that name in all folders", async () => {
    await inTurn(`n1/${name}`, `n2/deep/${name}`, `n1/${name}.bak`, `n1/x${name}`);
    expect(keys(await a.list(`?name=${name}`))).toEqual([`n2/deep/${name}`, `n1/${name}`]);
  });

  test("supports the list parameters", async () => {
    const [file, ...more] = await a.list(`?name=${name}&limit=1&orderBy=size&orderDirection=ASC`);
    expect(file?.key).toBe(`n1/${name}`);
    expect(more).toEqual([]);
    expect(keys(await a.list(`?name=${name}&offset=1`))).toEqual([`n1/${name}`]);
  });

  test("without a match returns an empty list", async () => {
    expect(await a.list("?name=nobody-has-this")).toEqual([]);
  });

  test("is case-sensitive", async () => {
    expect(await a.list(`?name=${name.toUpperCase()}`)).toEqual([]);
  });

  test("is normalised", async () => {
    const composed = `${unique("f")}-\u00e9.txt`;
    await a.put(`nfc/${composed}`);
    const asked = encodeURIComponent(composed.normalize("NFD"));
    expect(names(await a.list(`?name=${asked}`))).toEqual([composed]);
  });
});

describe("order", () => {
  const name = unique("o");
  const sizes: Readonly<Record<string, number>> = { p: 30, q: 10, r: 20 };
  const browse = async (query: string) => {
    const answer = await a.get(`/api/folders?key=${name}&${query}`);
    expect(answer.status).toBe(200);
    return names((await a.list(`?${query}`)).filter((file) => file.key.startsWith(`${name}/`)));
  };

  test("by each field, both ways, in any case", async () => {
    const ids: string[] = [];
    for (const [file, size] of Object.entries(sizes)) {
      ids.push((await a.put(`${name}/${file}`, "x".repeat(size))).id);
      await untilAfter(Date.now());
    }
    await a.json("PUT", "/api/files", { id: ids[0], visibility: "private" });
    expect(await browse("orderBy=name&orderDirection=ASC")).toEqual(["p", "q", "r"]);
    expect(await browse("orderBy=name&orderDirection=DESC")).toEqual(["r", "q", "p"]);
    expect(await browse("orderBy=name")).toEqual(["r", "q", "p"]);
    expect(await browse("orderBy=size&orderDirection=asc")).toEqual(["q", "r", "p"]);
    expect(await browse("orderBy=size&orderDirection=Desc")).toEqual(["p", "r", "q"]);
    expect(await browse("orderBy=createdAt&orderDirection=ASC")).toEqual(["p", "q", "r"]);
    expect(await browse("orderBy=createdAt")).toEqual(["r", "q", "p"]);
    expect(await browse("orderBy=updatedAt")).toEqual(["p", "r", "q"]);
    expect(await browse("orderDirection=ASC")).toEqual(["p", "q", "r"]);
  });
});

describe("pages", () => {
  const folder = unique("pages");

  test("of files with equal times neither overlap nor skip any", async () => {
    const parts = Array.from({ length: 25 }, (_, at) => filePart(`page-${at}`, "same"));
    expectData(await a.upload([field("folder", folder), ...parts]), filesData);
    for (const order of ["createdAt", "size", "updatedAt", "naturalName"]) {
      const seen: string[] = [];
      const count = (await a.list()).length;
      for (let offset = 0; offset < count; offset += 4) {
        const page = await a.list(`?orderBy=${order}&limit=4&offset=${offset}`);
        expect(page.length).toBe(Math.min(4, count - offset));
        seen.push(...page.map((file) => file.id));
      }
      expect(new Set(seen).size).toBe(count);
    }
  });

  test("limit 0 and an offset past the end return none, a large limit returns all", async () => {
    expect(await a.list("?limit=0")).toEqual([]);
    expect(await a.list("?offset=1000000")).toEqual([]);
    expect((await a.list("?limit=1000000000")).length).toBe((await a.list()).length);
  });

  test("an offset works without a limit", async () => {
    const all = await a.list();
    expect(await a.list("?offset=2")).toEqual(all.slice(2));
  });
});

describe("rejects list parameters out of range", () => {
  const wrong = ["-1", "1.5", "abc", "", "1e3", "0x10", "%201", "NaN", "Infinity", "1%00"];
  const endpoints = ["/api/files?", "/api/files?name=x&", "/api/folders?"];
  for (const endpoint of endpoints) {
    for (const parameter of ["limit", "offset"]) {
      test.each(wrong)(`GET ${endpoint}${parameter}=%s`, async (value) => {
        const answer = await a.get(`${endpoint}${parameter}=${value}`);
        expectFault(answer, 400, new RegExp(parameter));
      });
    }
    test.each(["foo", "", "id", "createdAt;", "name%20ASC"])(
      `GET ${endpoint}orderBy=%s`,
      async (value) => {
        expectFault(await a.get(`${endpoint}orderBy=${value}`), 400, /orderBy.*createdAt/);
      },
    );
    test.each(["up", "", "AS", "ASC%20"])(`GET ${endpoint}orderDirection=%s`, async (value) => {
      const answer = await a.get(`${endpoint}orderDirection=${value}`);
      expectFault(answer, 400, /orderDirection.*ASC/);
    });
  }
});
