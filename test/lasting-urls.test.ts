import { afterAll, describe, expect, test } from "bun:test";
import { api, send, unique } from "./client.ts";
import { expectData } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { encodePng } from "./image-encoders.ts";
import { administrator } from "./session.ts";
import { signedFolderData } from "./shapes.ts";

const server = await startServer(administrator);
afterAll(() => server.discard());
const a = api(server);

const LASTING = "public, max-age=31536000, immutable";
const get = (path: string, headers = {}) => send(server, "GET", `/${path}`, headers);

async function lastingUrlOf(id: string): Promise<string | undefined> {
  const { text } = await a.get(`/api/files?id=${id}&include=lastingUrl`);
  return JSON.parse(text).data.file.lastingUrl;
}

async function lastingFile(content: string | Uint8Array = "one", name = `${unique("v")}.txt`) {
  const file = await a.put(`lasting/${name}`, content);
  const url = (await lastingUrlOf(file.id)) ?? "";
  return { file, url, v: new URL(url, "http://x/").searchParams.get("v") ?? "" };
}

const replace = (key: string, content: string) =>
  send(server, "PUT", `/api/files/content?key=${key}`, { "API-Key": server.apiKey }, content);

describe("a lasting URL", () => {
  test("stays when the charset of a text was found out", async () => {
    const { file, url } = await lastingFile("h\u00e9");
    expect((await get(file.url)).header("content-type")).toContain("utf-8");
    await Bun.sleep(300);
    expect(await lastingUrlOf(file.id)).toBe(url);
    expect((await get(url)).status).toBe(200);
  });

  test("may be cached for a year, that URL alone", async () => {
    const { file, url } = await lastingFile();
    expect(url).toMatch(/\?v=[0-9a-f]{16}$/);
    const answer = await get(url);
    expect([answer.text, answer.header("cache-control")]).toEqual(["one", LASTING]);
    expect(answer.header("etag")).toBeString();
    const plain = await get(file.url);
    expect(plain.header("cache-control")).toBe("public, max-age=0, must-revalidate");
    expect((await send(server, "HEAD", `/${url}`)).header("cache-control")).toBe(LASTING);
    const part = await get(url, { Range: "bytes=0-0" });
    expect([part.status, part.header("cache-control")]).toEqual([206, LASTING]);
    const same = await get(url, { "If-None-Match": answer.header("etag") ?? "" });
    expect([same.status, same.header("cache-control")]).toEqual([304, LASTING]);
    expect((await get(url, { Range: "bytes=9-" })).header("cache-control")).toBe("no-store");
  });

  test("leads to the current one after the content was replaced, and is not cached then", async () => {
    const { file, url } = await lastingFile();
    await replace(file.key, "two");
    const answer = await get(`${url}&download=1`);
    expect([answer.status, answer.header("cache-control")]).toEqual([302, "no-store"]);
    expect(answer.header("access-control-allow-origin")).toBe("*");
    const current = new URL(answer.header("location") ?? "", `${server.url}/${url}`);
    expect(current.pathname).toBe(`/${file.url}`);
    expect(current.searchParams.get("download")).toBe("1");
    const next = await get(current.href.slice(server.url.length + 1));
    expect([next.text, next.header("cache-control")]).toEqual(["two", LASTING]);
    expect(await lastingUrlOf(file.id)).not.toBe(url);
  });

  test("changes with the stored headers and the type, and not with a move", async () => {
    const { file, url, v } = await lastingFile();
    await a.json("PUT", "/api/files", { id: file.id, metadata: { "x-author": "Ada" } });
    const described = await lastingUrlOf(file.id);
    expect(described).not.toBe(url);
    await a.json("PUT", "/api/files", { id: file.id, metadata: null });
    expect(await lastingUrlOf(file.id)).toBe(url);
    const folder = await a.folder(unique("moved"));
    await a.json("PUT", "/api/files", { id: file.id, folderId: folder.id });
    expect(await lastingUrlOf(file.id)).toEndWith(`?v=${v}`);
    await a.json("PUT", "/api/files", { id: file.id, name: "a.css" });
    expect(await lastingUrlOf(file.id)).not.toEndWith(`?v=${v}`);
  });

  test("of other content is another, and a wrong one leads to the right one", async () => {
    const { file, v } = await lastingFile();
    const wrong = `${v.slice(0, -1)}${v.endsWith("0") ? "1" : "0"}`;
    const answer = await get(`${file.url}?v=${wrong}`);
    expect([answer.status, answer.header("location")]).toEqual([302, `?v=${v}`]);
  });

  test("any other v is ignored", async () => {
    const { file, v } = await lastingFile();
    for (const query of [
      "v=",
      "v=1",
      `v=${v.toUpperCase().replace(/^\d*$/, "G")}x`,
      `v=${v}0`,
      `v=${v}&v=${v}`,
      `V=${v}`,
      `v[]=${v}`,
    ]) {
      const answer = await get(`${file.url}?${query}`);
      expect([query, answer.status, answer.header("cache-control")]).toEqual([
        query,
        200,
        "public, max-age=0, must-revalidate",
      ]);
    }
  });

  test("overrides a stored Cache-Control, unless that forbids to store", async () => {
    const { file } = await lastingFile();
    const cached = async (cacheControl: string) => {
      const metadata = { cacheControl, expires: "Wed, 21 Oct 2015 07:28:00 GMT" };
      await a.json("PUT", "/api/files", { id: file.id, metadata });
      const answer = await get((await lastingUrlOf(file.id)) ?? "");
      return [answer.header("cache-control"), answer.header("expires")];
    };
    expect(await cached("public, max-age=60")).toEqual([LASTING, null]);
    for (const forbidden of ["no-store", "private, max-age=5", "PRIVATE"]) {
      expect((await cached(forbidden))[0]).toBe(forbidden);
    }
  });

  test("of a private file there is none: v is ignored, and access is decided first", async () => {
    const { file, url, v } = await lastingFile();
    await a.json("PUT", "/api/files", { id: file.id, visibility: "private" });
    expect(await lastingUrlOf(file.id)).toBeUndefined();
    const wrong = `${file.url}?v=${"0".repeat(16)}`;
    const missing = await get(`api/hosting/no/such?v=${v}`);
    for (const path of [url, wrong]) {
      const answer = await get(path);
      expect([answer.status, answer.text]).toEqual([404, missing.text]);
      const read = await get(path, { "API-Key": server.apiKey });
      expect([read.status, read.header("cache-control")]).toEqual([200, "private, no-store"]);
    }
  });

  test("below a signed folder v means nothing", async () => {
    const { file } = await lastingFile();
    const signed = await a.json("POST", "/api/folders/sign", { id: file.folderId });
    const { url } = expectData(signed, signedFolderData);
    const answer = await get(`${url}${file.name}?v=${"0".repeat(16)}`);
    expect([answer.status, answer.header("cache-control")]).toEqual([
      200,
      "public, max-age=0, must-revalidate",
    ]);
  });

  test("serves smaller sizes of images, and changes with how they are made", async () => {
    const png = encodePng(900, 600, (x) => [x % 256, 0, 0]);
    const { file, url } = await lastingFile(png, `${unique("v")}.png`);
    const answer = await get(`${url}&size=small`);
    expect([answer.status, answer.header("cache-control")]).toEqual([200, LASTING]);
    expect(answer.header("vary")).toBe("Accept");
    const old = await get(`${file.url}?size=small&v=${"0".repeat(16)}`);
    expect([old.status, old.header("location")]).toEqual([302, `?size=small&v=${url.slice(-16)}`]);
    await a.json("PUT", "/api/settings", { imageQuality: 50 });
    expect((await get(`${url}&size=small`)).status).toBe(302);
    await a.json("PUT", "/api/settings", { imageQuality: null });
    expect((await get(`${url}&size=small`)).status).toBe(200);
  });

  test("is not there when the setting is off", async () => {
    const { file, url } = await lastingFile();
    await a.json("PUT", "/api/settings", { lastingUrls: false });
    expect(await lastingUrlOf(file.id)).toBeUndefined();
    for (const path of [url, `${file.url}?v=${"0".repeat(16)}`]) {
      const answer = await get(path);
      expect([answer.status, answer.header("cache-control")]).toEqual([
        200,
        "public, max-age=0, must-revalidate",
      ]);
    }
    await a.json("PUT", "/api/settings", { lastingUrls: null });
    const answer = await get(url);
    expect([answer.status, answer.header("cache-control")]).toEqual([200, LASTING]);
  });
});
