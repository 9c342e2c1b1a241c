import { afterAll, describe, expect, test } from "bun:test";
import { api, unique } from "./client.ts";
import { expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { serverProcessorTime } from "./processor-time.fixture.ts";
import { expectUnchanged } from "./snapshot.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);

const create = (folder: unknown) => a.json("POST", "/api/folders", { folder });

async function expectRefused(folder: unknown, status: number, message?: RegExp): Promise<void> {
  expectFault(await expectUnchanged(server, () => create(folder)), status, message);
}

test("creates a folder in the root", async () => {
  const name = unique("create");
  const root = (await a.browse("")).folder;
  const folder = await a.folder(name);
  expect(folder).toMatchObject({ name, key: name, parentId: root.id });
  expect(folder.updatedAt).toBe(folder.createdAt);
  expect(Math.abs(Date.parse(`${folder.createdAt.replace(" ", "T")}Z`) - Date.now())).toBeLessThan(
    60_000,
  );
});

test("creates missing parents and accepts existing ones", async () => {
  const base = unique("create");
  const deep = await a.folder(`${base}/one/two`);
  expect(deep).toMatchObject({ name: "two", key: `${base}/one/two` });
  const beside = await a.folder(`${base}/one/three`);
  expect(beside.parentId).toBe(deep.parentId);
  expect((await a.browse(base)).folders.map((folder) => folder.name)).toEqual(["one"]);
});

test("removes redundant slashes", async () => {
  const base = unique("create");
  expect((await a.folder(`//${base}///x/`)).key).toBe(`${base}/x`);
});

test.each(["v1.2", ".hidden", "...", "a.", "..a", "a b", "100%", "a#b?c", '"', "日本", "😀"])(
  "the name %s",
  async (name) => {
    const base = unique("create");
    expect((await a.folder(`${base}/${name}`)).name).toBe(name);
    expect((await a.browse(`${base}/${name}`)).folder.name).toBe(name);
  },
);

test("normalises names", async () => {
  const base = unique("create");
  expect((await a.folder(`${base}/e\u0301`)).key).toBe(`${base}/\u00e9`);
  await expectRefused(`${base}/\u00e9`, 409);
});

test("names are case-sensitive", async () => {
  const base = unique("create");
  await a.folder(`${base}/docs`);
  expect((await a.folder(`${base}/Docs`)).name).toBe("Docs");
});

test("accepts a key of 128 segments and one of 4,096 bytes", async () => {
  const base = unique("d");
  const deep = await a.folder(`${base}/${Array.from({ length: 127 }, () => "d").join("/")}`);
  expect(deep.key.split("/").length).toBe(128);
  const path = `${unique("d")}/${Array.from({ length: 16 }, () => "n".repeat(240)).join("/")}/`;
  const rest = 4_096 - path.length;
  expect((await a.folder(path + "l".repeat(rest))).key.length).toBe(4_096);
  await expectRefused(path + "m".repeat(rest + 1), 400);
});

describe("rejects with 409 and creates nothing", () => {
  test("the folder exists", async () => {
    const folder = await a.folder(`${unique("create")}/sub`);
    await expectRefused(folder.key, 409, /sub/);
    await expectRefused(`/${folder.key}/`, 409);
    await expectRefused(folder.key.split("/")[0], 409);
  });

  test("a file has the name", async () => {
    const file = await a.put(`${unique("create")}/f`);
    await expectRefused(file.key, 409);
  });

  test("a parent is a file", async () => {
    const file = await a.put(`${unique("create")}/f`);
    await expectRefused(`${file.key}/sub`, 409);
    await expectRefused(`${file.key}/sub/deeper`, 409);
  });
});

describe("rejects with 400 and creates nothing", () => {
  test.each([
    ".",
    "..",
    "new/..",
    "../new",
    "new/../other",
    "new/./other",
    "new\\other",
    "new\u0000",
    "new/\n",
    "new/\u007f",
    "   ",
    "new/ /other",
    "new/\ud800",
    `new/${"n".repeat(256)}`,
    `new/${"é".repeat(128)}`,
    Array.from({ length: 129 }, () => "d").join("/"),
    Array.from({ length: 10_000 }, () => "d").join("/"),
    "n".repeat(200_000),
  ])("the path %#", async (path) => {
    const from = serverProcessorTime(server);
    expectFault(await create(path), 400);
    expect(serverProcessorTime(server) - from).toBeLessThan(1_000);
    await expectRefused(`${unique("refused")}/${path}`, 400);
  });

  test.each([[5], [null], [true], [["a"]], [{}]])("folder: %j", async (folder) => {
    await expectRefused(folder, 400, /folder/);
  });

  test("a missing folder", async () => {
    const answer = await expectUnchanged(server, () => a.json("POST", "/api/folders", {}));
    expectFault(answer, 400, /folder/);
  });

  test("an empty path, since the root exists", async () => {
    for (const path of ["", "/", "//"]) {
      const answer = await expectUnchanged(server, () => create(path));
      expectFault(answer, answer.status === 409 ? 409 : 400);
    }
  });
});
