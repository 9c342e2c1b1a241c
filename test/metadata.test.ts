import { afterAll, describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { z } from "zod";
import { api, send, unique } from "./client.ts";
import { expectData, expectFault, expectSecurityHeaders } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { field, filePart } from "./multipart.ts";
import { filesData } from "./shapes.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);

const shape = z.strictObject({
  id: z.string(),
  key: z.string(),
  metadata: z.record(z.string(), z.string()),
});
const metadataOf = async (id: string) =>
  expectData(await a.get(`/api/files/metadata?id=${id}`), shape).metadata;
const change = (id: string, metadata: unknown) => a.json("PUT", "/api/files", { id, metadata });
const hosted = (url: string, headers: Record<string, string> = {}) =>
  send(server, "GET", `/${url}`, headers);

const all = {
  cacheControl: "public, max-age=31536000, immutable",
  contentDisposition: 'attachment; filename="other name.txt"',
  contentLanguage: "de",
  "x-author": "Ada",
};

async function upload(metadata: unknown, visibility = "public") {
  const text = typeof metadata === "string" ? metadata : JSON.stringify(metadata);
  const answer = await a.upload([
    field("folder", unique("metadata")),
    field("visibility", visibility),
    filePart("a.html", "<script>1</script>"),
    field("metadata", text),
  ]);
  const [file] = expectData(answer, filesData).files;
  if (file === undefined) throw new Error("No file.");
  return file;
}

describe("metadata", () => {
  test("is set with an upload, changed field by field, and removed", async () => {
    const { id, key } = await upload(all);
    expect(await metadataOf(id)).toEqual(all);
    const byKey = await a.get(`/api/files/metadata?key=${encodeURIComponent(key)}`);
    expect(expectData(byKey, shape)).toEqual({ id, key, metadata: all });
    await change(id, { contentLanguage: "en", contentDisposition: null, "x-b": "2" });
    const { contentDisposition: _, ...rest } = all;
    expect(await metadataOf(id)).toEqual({ ...rest, contentLanguage: "en", "x-b": "2" });
    expect((await change(id, null)).status).toBe(200);
    expect(await metadataOf(id)).toEqual({});
  });

  test("that is invalid is refused with the field's name, and nothing is stored or changed", async () => {
    const file = await upload(all);
    const refusals: [unknown, RegExp][] = [
      [{ cacheControl: "max-age=x" }, /`metadata.cacheControl` must be a list of cache directives/],
      [{ "x-a": "b\r\nSet-Cookie: c" }, /`metadata.x-a` must be printable ASCII/],
      [{ "X-Frame-Options": "a" }, /`metadata.X-Frame-Options` is unknown/],
      [{ contentType: "text/html" }, /`metadata.contentType` is unknown/],
      [{ "x-a": 5 }, /`metadata.x-a` must be/],
      [{ "x-a": "a".repeat(2050) }, /too long/],
      [[], /object/],
      ["text", /object/],
    ];
    for (const [metadata, message] of refusals) {
      expectFault(await change(file.id, metadata), 400, message);
      const folder = unique("refused");
      const text = field("metadata", JSON.stringify(metadata));
      const parts = [field("folder", folder), text, filePart("a", "a")];
      expectFault(await a.upload(parts), 400, message);
      expect((await a.get(`/api/folders?key=${folder}`)).status).toBe(404);
    }
    expectFault(await a.upload([field("metadata", "{"), filePart("a", "a")]), 400, /JSON object/);
    expect(await metadataOf(file.id)).toEqual(all);
    expectFault(await a.json("PUT", "/api/files", { id: file.id }), 400, /`metadata`/);
    expectFault(await a.get("/api/files/metadata"), 400);
    expectFault(await a.get("/api/files/metadata?id=nobody"), 404);
  });

  test("is sent as headers, with ranges and HEAD, and cannot replace another header", async () => {
    const { id, url } = await upload(all);
    const range = { Range: "bytes=0-3" };
    for (const answer of [
      await hosted(url),
      await hosted(url, range),
      await send(server, "HEAD", `/${url}`),
      await a.get(`/api/files/download/${id}`),
    ]) {
      expect([200, 206]).toContain(answer.status);
      expectSecurityHeaders(answer);
      expect(answer.all("cache-control")).toEqual([all.cacheControl]);
      expect(answer.all("content-disposition")).toEqual([
        "attachment; filename=\"other name.txt\"; filename*=UTF-8''other%20name.txt",
      ]);
      expect(answer.all("content-language")).toEqual(["de"]);
      expect(answer.all("x-meta-author")).toEqual(["Ada"]);
      expect(answer.header("access-control-expose-headers")).toContain("X-Meta-author");
      expect(answer.header("content-type")).toBe("text/html; charset=utf-8");
    }
    await change(id, { contentDisposition: "inline", "x-frame-options": "ALLOWALL" });
    const inline = await hosted(url);
    expectSecurityHeaders(inline);
    expect(inline.header("x-frame-options")).toBeNull();
    expect(inline.header("x-meta-frame-options")).toBe("ALLOWALL");
    expect((await hosted(`${url}?download=1`)).header("content-disposition")).toStartWith(
      "attachment",
    );
    const downloaded = await a.get(`/api/files/download/${id}`);
    expect(downloaded.header("content-disposition")).toStartWith("attachment");
  });

  test("never makes a private file cacheable", async () => {
    const { id, url } = await upload(all, "private");
    const key = { "API-Key": server.apiKey };
    const answer = await hosted(url, key);
    expect(answer.all("cache-control")).toEqual(["private, no-store"]);
    expect([answer.header("etag"), answer.header("x-meta-author")]).toEqual([null, "Ada"]);
    expect((await a.get(`/api/files/download/${id}`)).all("cache-control")).toEqual([
      "private, no-store",
    ]);
    const refused = await hosted(url);
    expect([refused.status, refused.header("x-meta-author")]).toEqual([404, null]);
    await a.json("PUT", "/api/files", { id, visibility: "public" });
    expect((await hosted(url)).all("cache-control")).toEqual([all.cacheControl]);
    await a.json("PUT", "/api/files", { id, visibility: "private" });
    expect((await hosted(url, key)).all("cache-control")).toEqual(["private, no-store"]);
  });

  test("a 304 has the headers that changed since the client stored the file", async () => {
    const { id, url } = await upload(all);
    const etag = (await hosted(url)).header("etag") ?? "";
    const changed = {
      cacheControl: "no-cache",
      contentDisposition: "inline",
      contentLanguage: "en",
    };
    await change(id, { ...changed, "x-author": "Bob" });
    const answer = await hosted(url, { "If-None-Match": etag });
    expect(answer.status).toBe(304);
    expect(answer.header("etag")).toBe(etag);
    expect(answer.header("cache-control")).toBe("no-cache");
    expect(answer.header("content-disposition")).toStartWith("inline");
    expect(answer.header("content-language")).toBe("en");
    expect(answer.header("x-meta-author")).toBe("Bob");
    expectSecurityHeaders(answer);
    // A 304 could not take the header back.
    await change(id, { "x-author": null });
    const whole = await hosted(url, { "If-None-Match": etag });
    expect([whole.status, whole.header("x-meta-author")]).toEqual([200, null]);
  });

  test("a content coding is sent with the stored bytes; ranges and zips take them as they are", async () => {
    const bytes = gzipSync("some text that is compressed");
    const folder = unique("coded");
    const parts = [field("folder", folder), filePart("a.txt", bytes)];
    const answer = await a.upload([field("metadata", '{"contentEncoding":"gzip"}'), ...parts]);
    const [file] = expectData(answer, filesData).files;
    if (file === undefined) throw new Error("No file.");
    // `fetch` decodes it.
    const whole = await hosted(file.url);
    expect(whole.text).toBe("some text that is compressed");
    expect(whole.header("content-encoding")).toBe("gzip");
    const part = await fetch(`${server.url}/${file.url}`, {
      headers: { Range: "bytes=2-9" },
      decompress: false,
    });
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(2, 10));
    expect(part.headers.get("content-range")).toBe(`bytes 2-9/${bytes.length}`);
    const zip = await a.json("POST", "/api/files/download", { ids: [file.id] });
    expect(Buffer.from(zip.bytes).includes(bytes)).toBe(true);
    const etag = whole.header("etag") ?? "";
    await change(file.id, { contentEncoding: null });
    const plain = await hosted(file.url, { "If-None-Match": etag });
    expect([plain.status, plain.header("content-encoding")]).toEqual([200, null]);
    expect(Buffer.from(plain.bytes)).toEqual(bytes);
    await change(file.id, { contentEncoding: "gzip", "x-kept": "1" });
    await a.upload([
      field("onConflict", "replace"),
      ...parts.slice(0, 1),
      filePart("a.txt", "new"),
    ]);
    expect(await metadataOf(file.id)).toEqual({ "x-kept": "1" });
  });

  test("of a replaced file is kept unless the upload sets a field, and then replaced as a whole", async () => {
    const folder = unique("kept");
    const put = async (metadata: string) => {
      const parts = [field("metadata", metadata), field("onConflict", "replace")];
      const answer = await a.upload([...parts, field("folder", folder), filePart("a", "content")]);
      const [file] = expectData(answer, filesData).files;
      return metadataOf(file?.id ?? "");
    };
    expect(await put(JSON.stringify(all))).toEqual(all);
    expect(await put("{}")).toEqual(all);
    expect(await put('{"x-author":null,"x-other":null}')).toEqual(all);
    expect(await put('{"x-other":"1","x-author":null}')).toEqual({ "x-other": "1" });
    const twice = [field("metadata", "{}"), field("metadata", "{}"), filePart("a", "a")];
    expectFault(await a.upload(twice), 400, /`metadata` is given twice/);
  });
});
