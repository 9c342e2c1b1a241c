import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { api, send, unique } from "./client.ts";
import { eventually, expectFault, untilNextSecond } from "./expectations.ts";
import { removeFolder, startServer, temporaryFolder } from "./harness.ts";
import type { HttpResponse } from "./http-response.ts";
import { isMissing } from "./reason-to-skip.fixture.ts";
import { administrator, fromPage, signIn } from "./session.ts";
import { isOnS3 } from "./test-stores.ts";
import { unzip } from "./unzip.ts";

const server = await startServer({ ...administrator });
afterAll(() => server.discard());
const a = api(server);

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const folderZip = (id: string) => a.get(`/api/folders/download?id=${id}`);
const selectionZip = (body: unknown) => a.json("POST", "/api/files/download", body);

function expectZip(answer: HttpResponse) {
  if (answer.status !== 200) throw new Error(`Status ${answer.status}: ${answer.text}`);
  expect(answer.header("content-type")).toBe("application/zip");
  expect(answer.header("cache-control")).toBe("private, no-store");
  expect(answer.header("x-content-type-options")).toBe("nosniff");
  expect(Number(answer.header("x-archive-size"))).toBe(answer.bytes.length);
  return unzip(answer.bytes);
}

const contents = (answer: HttpResponse) =>
  Object.fromEntries(expectZip(answer).map(({ path, bytes }) => [path, text(bytes)]));

describe("a folder's zip", () => {
  test("contains everything inside, including empty folders and odd names", async () => {
    const top = unique("zip");
    await a.put(`${top}/日本語 "quoted"/a b#?%.txt`, "one");
    await a.put(`${top}/👩‍🚀.txt`, "two", { visibility: "private" });
    await a.put(`${top}/empty.txt`, "");
    await a.folder(`${top}/void/inner`);
    const { folder } = await a.browse(top);
    const answer = await folderZip(folder.id);
    expect(contents(answer)).toEqual({
      [`${top}/`]: "",
      [`${top}/empty.txt`]: "",
      [`${top}/👩‍🚀.txt`]: "two",
      [`${top}/void/`]: "",
      [`${top}/void/inner/`]: "",
      [`${top}/日本語 _quoted_/`]: "",
      [`${top}/日本語 _quoted_/a b#_%.txt`]: "one",
    });
    expect(answer.header("content-disposition")).toStartWith(`attachment; filename="${top}.zip"`);
    expect(answer.header("content-length")).toBe(String(answer.bytes.length));
  });

  test("has the time of each upload", async () => {
    const top = unique("zip");
    const before = Math.floor(Date.now() / 1000);
    const file = await a.put(`${top}/a.txt`, "x");
    await untilNextSecond();
    await a.json("PUT", "/api/files", { id: file.id, name: "b.txt" });
    const entries = expectZip(await a.get(`/api/folders/download?key=${top}`));
    const stored = entries.find(({ path }) => path === `${top}/b.txt`);
    expect(stored?.modified).toBeWithin(
      before,
      Math.floor(Date.parse(`${file.createdAt}Z`) / 1000) + 1,
    );
  });

  test("of the root has no top folder", async () => {
    const file = await a.put(unique("root"), "at the root");
    const answer = await a.get("/api/folders/download");
    expect(contents(answer)[file.name]).toBe("at the root");
    expect(answer.header("content-disposition")).toContain('filename="files.zip"');
  });

  test("of an empty folder is one entry", async () => {
    const folder = await a.folder(unique("nothing"));
    expect(contents(await folderZip(folder.id))).toEqual({ [`${folder.name}/`]: "" });
  });

  test("has a name in any script", async () => {
    const folder = await a.folder(`${unique("資料")} "x"`);
    const answer = await folderZip(folder.id);
    expect(answer.header("content-disposition")).toContain(
      `filename*=UTF-8''${encodeURIComponent(folder.name)}.zip`,
    );
  });

  test("has its exact length in HEAD", async () => {
    const top = unique("zip");
    const file = await a.put(`${top}/a.bin`, new Uint8Array(3_000_000).fill(7));
    const path = `/api/folders/download?id=${file.folderId}`;
    const head = await send(server, "HEAD", path, { "API-Key": server.apiKey });
    const whole = await a.get(path);
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    expect(head.header("content-length")).toBe(String(whole.bytes.length));
    expect(expectZip(whole).map(({ size }) => size)).toEqual([0, 3_000_000]);
  });
});

describe("a selection's zip", () => {
  test("contains files and folders of different folders at its top", async () => {
    const [one, two] = [unique("sel"), unique("sel")];
    const first = await a.put(`${one}/same.txt`, "1");
    const second = await a.put(`${two}/same.txt`, "2");
    await a.put(`${two}/deep/same.txt`, "3");
    const deep = (await a.browse(`${two}/deep`)).folder;
    const sameName = await a.folder(`${one}/deep`);
    const ids = [first.id, second.id, first.id];
    expect(contents(await selectionZip({ ids, folderIds: [deep.id, sameName.id] }))).toEqual({
      "deep/": "",
      "deep/same.txt": "3",
      "deep (2)/": "",
      "same.txt": "1",
      "same (2).txt": "2",
    });
  });

  test("is named after a single item", async () => {
    const file = await a.put(`${unique("sel")}/one.txt`);
    const one = await selectionZip({ ids: [file.id] });
    expect(one.header("content-disposition")).toContain('filename="one.txt.zip"');
    const two = await selectionZip({ ids: [file.id], folderIds: [file.folderId] });
    expect(two.header("content-disposition")).toContain('filename="files.zip"');
  });

  test("has a URL, which has its length in HEAD", async () => {
    const top = unique("url");
    const files = [await a.put(`${top}/a.txt`, "1"), await a.put(`${top}/b.txt`, "2")];
    const folder = await a.folder(`${top}/empty`);
    const ids = files.map(({ id }) => `ids=${id}`).join("&");
    const path = `/api/files/download?${ids}&folderIds=${folder.id}`;
    const answer = await a.get(path);
    expect(contents(answer)).toEqual({ "a.txt": "1", "b.txt": "2", "empty/": "" });
    const head = await send(server, "HEAD", path, { "API-Key": server.apiKey });
    expect(head.header("content-length")).toBe(String(answer.bytes.length));
    expectFault(await a.get("/api/files/download"), 400, /ids.*folderIds/);
    expectFault(await a.get(`${path}&ids=nope`), 404, /nope/);
    expectFault(await send(server, "GET", path), 401);
    expectFault(await fromPage(server, "GET", path, ""), 401);
  });

  test("has no names that Windows or macOS take for one, at any depth", async () => {
    const top = unique("case");
    for (const name of ["same.txt", "Same.TXT", "other.tar.gz", "OTHER.tar.gz", "In/x", "in/X"]) {
      await a.put(`${top}/${name}`, name);
    }
    const { id } = (await a.browse(top)).folder;
    const found = contents(await folderZip(id));
    const paths = Object.keys(found).map((path) => path.toLowerCase().replace(/\/$/, ""));
    expect(new Set(paths).size).toBe(paths.length);
    expect(found[`${top}/Same.TXT`]).toBe("Same.TXT");
    expect(found[`${top}/same (2).txt`]).toBe("same.txt");
    expect(found[`${top}/other (2).tar.gz`]).toBe("other.tar.gz");
    expect(found[`${top}/in (2)/X`]).toBe("in/X");
    const one = await a.put(`${top}/a/case.txt`, "1");
    const two = await a.put(`${top}/b/CASE.TXT`, "2");
    expect(contents(await selectionZip({ ids: [one.id, two.id] }))).toEqual({
      "case.txt": "1",
      "CASE (2).TXT": "2",
    });
  });

  test("has no names that Windows cannot have, at any depth", async () => {
    const top = unique("windows");
    for (const name of ["CON", "nul.txt", "a:b", "end./x*", "PRN/lpt1"]) {
      await a.put(`${top}/${name}`, name);
    }
    const { id } = (await a.browse(top)).folder;
    expect(Object.keys(contents(await folderZip(id))).sort()).toEqual(
      ["", "CON_", "nul_.txt", "a_b", "end_/", "end_/x_", "PRN_/", "PRN_/lpt1_"]
        .map((path) => `${top}/${path}`)
        .sort(),
    );
    await a.put(`${top}/what?/x`, "x");
    const { folder } = await a.browse(`${top}/what?`);
    expect(Object.keys(contents(await folderZip(folder.id)))).toEqual(["what_/", "what_/x"]);
    const one = await a.put(`${top}/out/a:b`, "1");
    const two = await a.put(`${top}/in/a?b`, "2");
    expect(contents(await selectionZip({ ids: [one.id, two.id] }))).toEqual({
      a_b: "1",
      "a_b (2)": "2",
    });
  });

  test("can be requested with a form", async () => {
    const files = [await a.put(unique("form"), "1"), await a.put(unique("form"), "2")];
    const form = new URLSearchParams(files.map(({ id }) => ["ids", id]));
    form.append("folderIds", (await a.folder(unique("form"))).id);
    const headers = {
      Cookie: await signIn(server),
      Origin: server.url,
      "Content-Type": "application/x-www-form-urlencoded;charset=UTF-8",
    };
    const answer = await send(server, "POST", "/api/files/download", headers, `${form}`);
    expect(expectZip(answer).map(({ bytes }) => text(bytes))).toEqual(["", "1", "2"]);
    const elsewhere = { ...headers, Origin: "https://elsewhere.example" };
    expectFault(await send(server, "POST", "/api/files/download", elsewhere, `${form}`), 401);
  });
});

describe("rejects", () => {
  test("requests without credentials", async () => {
    expectFault(await send(server, "GET", "/api/folders/download"), 401);
    expectFault(await send(server, "POST", "/api/files/download", {}, "{}"), 401);
    expectFault(await fromPage(server, "GET", "/api/folders/download", ""), 401);
  });

  test("unknown ids, and names them", async () => {
    const file = await a.put(unique("there"));
    expectFault(await folderZip("nope"), 404);
    expectFault(await folderZip(file.id), 404);
    expectFault(await selectionZip({ ids: [file.id, "nope"] }), 404, /nope/);
    expectFault(await selectionZip({ folderIds: [file.id] }), 404, new RegExp(file.id));
  });

  test.each([
    [{}, /ids.*folderIds/],
    [{ ids: [] }, /ids/],
    [{ ids: "x" }, /ids/],
    [{ ids: [5] }, /ids/],
    [{ folderIds: [null] }, /folderIds/],
    [{ ids: Array.from({ length: 10_001 }, (_, index) => `${index}`) }, /10001/],
  ])("%#", async (body, message) => {
    expectFault(await selectionZip(body), 400, message);
  });

  test("two selectors at once", async () => {
    expectFault(await a.get("/api/folders/download?id=x&key=y"), 400);
  });
});

test("aborts the connection if a file is deleted meanwhile", async () => {
  const top = unique("cut");
  // The first is larger than the buffers on the way to the client.
  await a.put(`${top}/a.bin`, new Uint8Array(24_000_000));
  const late = await a.put(`${top}/b.bin`, "late");
  const response = await fetch(`${server.url}/api/folders/download?key=${top}`, {
    headers: { "API-Key": server.apiKey },
  });
  expect(response.status).toBe(200);
  const reader = response.body?.getReader();
  await reader?.read();
  await a.json("DELETE", "/api/files", { id: late.id });
  const rest = async () => {
    while (!(await reader?.read())?.done);
  };
  expect(
    await rest().then(
      () => "whole",
      () => "broken",
    ),
  ).toBe("broken");
  expect(server.output()).not.toMatch(/damage|error|archive/i);
});

test.skipIf(isOnS3)("aborts the connection and logs damage if bytes are missing", async () => {
  const top = unique("lost");
  await a.put(`${top}/a.bin`, new Uint8Array(2_000_000));
  const lost = await a.put(`${top}/b.bin`, new Uint8Array(54_321));
  const blobs = join(server.dataPath, "blobs");
  for (const name of readdirSync(blobs, { recursive: true }).map(String)) {
    if (statSync(join(blobs, name)).size === 54_321) rmSync(join(blobs, name));
  }
  const from = server.output().length;
  const response = await a.get(`/api/folders/download?key=${top}`).catch(() => "broken");
  expect(response).toBe("broken");
  await eventually("the log tells of it", () => server.output().slice(from).includes(lost.id));
  expect(server.output().slice(from)).toContain("damage");
});

const unzipTool = Bun.which("unzip");
test.skipIf(isMissing("unzip", unzipTool !== null))("unzip finds no errors", async () => {
  const top = unique("tool");
  await a.put(`${top}/ünï/日本 "q".bin`, new Uint8Array(2_000_000).fill(3));
  await a.put(`${top}/b`, "");
  const folder = temporaryFolder();
  const path = join(folder, "a.zip");
  writeFileSync(path, (await a.get(`/api/folders/download?key=${top}`)).bytes);
  const tool = Bun.spawn([unzipTool ?? "", "-qq", "-o", path, "-d", folder], {
    stdout: "pipe",
    stderr: "pipe",
    env: { ...process.env, LANG: "C.UTF-8", LC_ALL: "C.UTF-8" },
  });
  const said = `${await new Response(tool.stdout).text()}${await new Response(tool.stderr).text()}`;
  expect([await tool.exited, said]).toEqual([0, ""]);
  const made = readdirSync(join(folder, top), { recursive: true }).map(String).sort();
  expect(made).toEqual(["b", "ünï", "ünï/日本 _q_.bin"].sort());
  expect(statSync(join(folder, top, "ünï/日本 _q_.bin")).size).toBe(2_000_000);
  rmSync(path);
  removeFolder(folder);
});
