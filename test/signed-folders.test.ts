import { afterAll, describe, expect, test } from "bun:test";
import { api, send, unique } from "./client.ts";
import { eventually, expectData, expectFault, untilAfter } from "./expectations.ts";
import { startServer, type TestServer } from "./harness.ts";
import { administrator } from "./session.ts";
import { signedData, signedFolderData } from "./shapes.ts";

const server = await startServer(administrator);
afterAll(() => server.discard());
const a = api(server);

const sign = (body: unknown, on = server) => api(on).json("POST", "/api/folders/sign", body);
const prefixOf = async (body: unknown, on = server) =>
  expectData(await sign(body, on), signedFolderData);

const get = (path: string, headers = {}, on: TestServer = server) =>
  send(on, "GET", `/${path}`, headers);

async function signedFolder(body: object = {}, on = server) {
  const key = unique("signed");
  const page = await api(on).put(`${key}/page.html`, "page", { visibility: "private" });
  await api(on).put(`${key}/a b/é.txt`, "deep", { visibility: "private" });
  const { url, expiresAt } = await prefixOf({ key, ...body }, on);
  return { key, id: page.folderId, url, expiresAt };
}

describe("a signed folder", () => {
  test("reads private files at any depth by their relative path, and those added later", async () => {
    const { key, url } = await signedFolder();
    expect(url).toMatch(/^api\/hosting\/~[A-Za-z0-9_-]+\/$/);
    expect((await get(`${url}page.html`)).text).toBe("page");
    expect((await get(`${url}a%20b/%C3%A9.txt`)).text).toBe("deep");
    await a.put(`${key}/later.txt`, "later", { visibility: "private" });
    expect((await get(`${url}later.txt`)).text).toBe("later");
  });

  test("answers as a signed file does, and pages of every origin may read it", async () => {
    const { url } = await signedFolder();
    const answer = await get(`${url}page.html`, { Origin: "https://player.example" });
    const headers = [
      ["cache-control", "private, no-store"],
      ["access-control-allow-origin", "*"],
      ["access-control-allow-credentials", null],
      ["cross-origin-resource-policy", "cross-origin"],
      ["referrer-policy", "no-referrer"],
      ["content-security-policy", "sandbox"],
      ["x-content-type-options", "nosniff"],
      ["etag", null],
      ["last-modified", null],
    ] as const;
    for (const [name, value] of headers) expect([name, answer.header(name)]).toEqual([name, value]);
    const part = await get(`${url}page.html`, { Range: "bytes=1-2" });
    expect([part.status, part.text]).toEqual([206, "ag"]);
    const past = await get(`${url}page.html`, { Range: "bytes=99-" });
    expect([past.status, past.header("access-control-allow-origin")]).toEqual([416, "*"]);
    expect((await send(server, "HEAD", `/${url}page.html`)).status).toBe(200);
    const download = await get(`${url}page.html?download=1`);
    expect(download.header("content-disposition")).toStartWith("attachment");
    const preflight = await send(server, "OPTIONS", `/${url}page.html`, {
      Origin: "https://player.example",
      "Access-Control-Request-Method": "GET",
      "Access-Control-Request-Headers": "range",
    });
    expect(preflight.header("access-control-allow-headers")).toContain("Range");
  });

  test("gives a public file its validators, and no referrer", async () => {
    const key = unique("signed");
    await a.put(`${key}/open.txt`);
    const { url } = await prefixOf({ key });
    const answer = await get(`${url}open.txt`);
    expect(answer.header("etag")).toBeString();
    expect(answer.header("referrer-policy")).toBe("no-referrer");
    const plain = await get(`api/hosting/${key}/open.txt`);
    expect(plain.header("referrer-policy")).toBeNull();
  });

  test("stays valid when the folder or one above is renamed or moved", async () => {
    const { id, key, url } = await signedFolder();
    await a.json("PUT", "/api/folders", { id, name: unique("renamed") });
    expect((await get(`${url}page.html`)).text).toBe("page");
    const parent = await a.folder(`${unique("parent")}/x`);
    await a.json("PUT", "/api/folders", { id, parentId: parent.id });
    expect((await get(`${url}a%20b/%C3%A9.txt`)).text).toBe("deep");
    await a.json("PUT", "/api/folders", { id: parent.id, name: "y" });
    expect((await get(`${url}page.html`)).text).toBe("page");
    // Another folder at the old key is none of its business.
    await a.put(`${key}/page.html`, "another", { visibility: "private" });
    expect((await get(`${url}page.html`)).text).toBe("page");
  });

  test("ends with the folder, comes back from the trash, and not for a new folder there", async () => {
    const { id, key, url } = await signedFolder();
    const deleted = await a.json("DELETE", "/api/folders", { id, trash: true });
    expect((await get(`${url}page.html`)).status).toBe(404);
    await a.json("POST", "/api/trash/restore", { undoId: JSON.parse(deleted.text).data.undoId });
    expect((await get(`${url}page.html`)).text).toBe("page");
    await a.json("DELETE", "/api/folders", { id, trash: false });
    await a.put(`${key}/page.html`, "another", { visibility: "private" });
    expect((await get(`${url}page.html`)).status).toBe(404);
  });

  test("does not reach what was moved out of it", async () => {
    const { key, url } = await signedFolder();
    const other = await a.folder(unique("other"));
    await a.json("PUT", "/api/files", { key: `${key}/page.html`, folderId: other.id });
    expect((await get(`${url}page.html`)).status).toBe(404);
  });

  test("expires", async () => {
    const { url, expiresAt } = await signedFolder({ expiresIn: 1 });
    await untilAfter(Date.parse(expiresAt));
    expect((await get(`${url}page.html`)).status).toBe(404);
    expect((await get(`${url}page.html`, { "API-Key": server.apiKey })).status).toBe(404);
  });

  test("can be the root, by its id and by /", async () => {
    const { key } = await signedFolder();
    const root = (await a.browse("")).folder;
    for (const body of [{ key: "/" }, { folder: "/" }, { id: root.id }]) {
      const { url } = await prefixOf(body);
      expect((await get(`${url}${key}/page.html`)).text).toBe("page");
    }
  });

  test("takes the longest key", async () => {
    const key = [unique("long"), ...Array.from({ length: 16 }, () => "x".repeat(250))].join("/");
    expect(key.length).toBeGreaterThan(4000);
    await a.put(key, "deep", { visibility: "private" });
    const { url } = await prefixOf({ key: "/" });
    expect((await get(`${url}${key}`)).text).toBe("deep");
  });
});

describe("a token", () => {
  test("ends with AUTH_SECRET", async () => {
    const one = await startServer({ AUTH_SECRET: "a".repeat(40) });
    try {
      const { url } = await signedFolder({}, one);
      await one.restart();
      expect((await get(`${url}page.html`, {}, one)).status).toBe(200);
      await one.restart({ AUTH_SECRET: "b".repeat(40) });
      expect((await get(`${url}page.html`, {}, one)).status).toBe(404);
    } finally {
      await one.discard();
    }
  });

  test("is not in the log or the audit log", async () => {
    const { key, url } = await signedFolder();
    const [, token = ""] = /~([\w-]+)/.exec(url) ?? [];
    await get(`${url}page.html`);
    await get(`${url}none`);
    await get(`${url}page.html?size=huge`);
    await eventually("it is recorded", async () => {
      const { text } = await a.get("/api/activity?limit=50");
      expect(text).not.toContain(token.slice(-20));
      return text.includes("signFolder") && text.includes(`"key":"${key}"`);
    });
    expect(server.output()).not.toContain(token.slice(-20));
    const overview = await a.get("/api/overview");
    expect(overview.text).not.toContain(token.slice(-20));
  });

  test("of an API key ends with the key", async () => {
    const { id } = await signedFolder();
    const expiresAt = new Date(Date.now() + 120_000).toISOString();
    const body = { name: "short", actions: ["list", "read", "share"], folderId: id, expiresAt };
    const created = await a.json("POST", "/api/keys", body);
    const limited = { ...server, apiKey: JSON.parse(created.text).data.secret };
    const answer = await api(limited).json("POST", "/api/folders/sign", { id, expiresIn: 3600 });
    const signed = expectData(answer, signedFolderData);
    expect(Date.parse(signed.expiresAt)).toBeLessThanOrEqual(Date.parse(expiresAt));
    const { folder } = await a.browse("");
    expectFault(await api(limited).json("POST", "/api/folders/sign", { id: folder.id }), 404);
  });

  test.each([[["list", "read"]], [["list", "share"]]])("is not made with %j", async (actions) => {
    const { id } = await signedFolder();
    const created = await a.json("POST", "/api/keys", { name: unique("key"), actions });
    const limited = { ...server, apiKey: JSON.parse(created.text).data.secret };
    expectFault(await api(limited).json("POST", "/api/folders/sign", { id }), 403);
  });
});

test("names that only look like tokens are names", async () => {
  const { url } = await signedFolder();
  const [, token = ""] = /(~[\w-]+)/.exec(url) ?? [];
  const changed = `${token.slice(0, -2)}${token.endsWith("A") ? "BB" : "AA"}`;
  for (const folder of ["~", "~me", changed]) {
    await a.put(`${folder}/a.txt`, folder);
    expect((await get(`api/hosting/${folder}/a.txt`)).text).toBe(folder);
  }
});

test("a valid signature of a private file lets pages of every origin read it", async () => {
  const file = await a.put(unique("cors"), "x", { visibility: "private" });
  const answer = await a.json("POST", "/api/files/sign", { id: file.id });
  const { url } = expectData(answer, signedData);
  const signed = await get(url);
  expect(signed.header("access-control-allow-origin")).toBe("*");
  expect(signed.header("cross-origin-resource-policy")).toBe("cross-origin");
  expect(signed.header("access-control-expose-headers")).toContain("Content-Range");
  const withKey = await get(file.url, { "API-Key": server.apiKey });
  expect(withKey.header("access-control-allow-origin")).toBeNull();
  expect(withKey.header("cross-origin-resource-policy")).toBeNull();
});

describe("refused", () => {
  test.each<[number, object]>([
    [400, {}],
    [400, { key: "" }],
    [400, { folder: "" }],
    [400, { id: "x", key: "a" }],
    [400, { key: "/", expiresIn: 0 }],
    [400, { key: "/", expiresin: 5 }],
    [400, { key: "a/../b" }],
    [404, { key: "no such folder" }],
    [404, { id: "no such folder" }],
  ])("%d: %j", async (status, body) => {
    expectFault(await sign(body), status);
  });

  test("a key that names a file", async () => {
    const file = await a.put(unique("file"));
    expectFault(await sign({ key: file.key }), 404);
    expectFault(await sign({ id: file.id }), 404);
  });
});
