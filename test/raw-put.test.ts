import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { api, type HeaderPairs, send, unique } from "./client.ts";
import { expectFault, expectSecurityHeaders } from "./expectations.ts";
import { startServer } from "./harness.ts";
import type { HttpResponse } from "./http-response.ts";
import { fileData } from "./shapes.ts";

const server = await startServer({ MAX_UPLOAD_SIZE: "1mb" });
const folder = mkdtempSync(join(tmpdir(), "holdall-put-"));
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server.discard();
});
const a = api(server);

const pathOf = (key: string, query = ""): string =>
  `/api/files/content?key=${encodeURIComponent(key)}${query}`;

const put = (
  key: string,
  body: string | Uint8Array,
  { query, ...headers }: HeaderPairs & { readonly query?: string } = {},
): Promise<HttpResponse> =>
  send(server, "PUT", pathOf(key, query), { "API-Key": server.apiKey, ...headers }, body);

const read = (key: string, headers?: HeaderPairs) => a.get(pathOf(key), headers);

const codeOf = (response: HttpResponse): unknown => JSON.parse(response.text).error?.code;
const stored = (response: HttpResponse) =>
  z.object({ data: fileData }).parse(JSON.parse(response.text)).data.file;

test("curl -T stores a file, and replaces it", async () => {
  const key = `${unique("put")}/photos/a b#.jpg`;
  const path = join(folder, "photo.jpg");
  for (const [content, status] of [
    ["first", "201"],
    ["second", "200"],
  ] as const) {
    writeFileSync(path, content);
    const curl = Bun.spawn(
      [
        ...["curl", "-sS", "-T", path, "-H", `API-Key: ${server.apiKey}`, "-o", "/dev/null"],
        ...["-w", "%{http_code}", `${server.url}${pathOf(key)}`],
      ],
      { stdout: "pipe" },
    );
    expect(await new Response(curl.stdout).text()).toBe(status);
    expect((await read(key)).text).toBe(content);
  }
});

test("the answer has the file and its strong ETag, also of a private file", async () => {
  const key = `${unique("put")}/a.txt`;
  const created = await put(key, "one", { query: "&visibility=private" });
  expect(created.status).toBe(201);
  expect(stored(created)).toMatchObject({ key, visibility: "private", mimeType: "text/plain" });
  const tag = created.header("etag") ?? "";
  expect(tag).toMatch(/^"[0-9a-f-]+"$/);
  const stale = await put(key, "two", { "If-Match": '"other"' });
  expectFault(stale, 412);
  expect(codeOf(stale)).toBe("precondition_failed");
  const replaced = await put(key, "two", { "If-Match": tag });
  expect(replaced.status).toBe(200);
  expect(stored(replaced)).toMatchObject({ id: stored(created).id, visibility: "private" });
  expectFault(await put(key, "three", { "If-Match": tag }), 412);
  expect((await read(key)).text).toBe("two");
});

test("If-None-Match: * stores only a new file, and If-Match only an existing one", async () => {
  const key = `${unique("put")}/a.txt`;
  expectFault(await put(key, "x", { "If-Match": "*" }), 412);
  expect((await put(key, "one", { "If-None-Match": "*" })).status).toBe(201);
  expectFault(await put(key, "two", { "If-None-Match": "*" }), 412);
  expect((await put(key, "two", { "If-Match": "*" })).status).toBe(200);
  const long = "x".repeat(600_000);
  expectFault(await put(key, long, { "If-None-Match": "*" }), 412);
  expectFault(await put(key, "x", { "If-Unmodified-Since": "Thu, 01 Jan 1970 00:00:00 GMT" }), 412);
  expect((await read(key)).text).toBe("two");
});

test.each([
  ["If-Match", ""],
  ["If-Match", "6-19c12a4f5d0"],
  ["If-None-Match", ""],
  ["If-None-Match", "**"],
  ["If-None-Match", "* "],
  ["If-None-Match", "6-19c12a4f5d0"],
  ["If-None-Match", '"other" "more"'],
  ["If-None-Match", '"other", *'],
  ["If-Unmodified-Since", "yesterday"],
  ["If-Unmodified-Since", "2026-01-31T09:30:00Z"],
])("a malformed %s: %s replaces nothing", async (name, value) => {
  const key = `${unique("put")}/a.txt`;
  await put(key, "one");
  const answer = await put(key, "two", { [name]: value });
  // White space around a value is no part of it (RFC 9110, section 5.5).
  expectFault(answer, value === "* " ? 412 : 400);
  expect((await read(key)).text).toBe("one");
});

test("of many writers with the same condition exactly one wins", async () => {
  const key = `${unique("put")}/a.txt`;
  const creating = Array.from({ length: 12 }, (_, n) => put(key, `${n}`, { "If-None-Match": "*" }));
  const created = await Promise.all(creating);
  const winner = created.findIndex(({ status }) => status === 201);
  expect(created.filter(({ status }) => status === 201)).toHaveLength(1);
  for (const { status } of created) expect([201, 409, 412]).toContain(status);
  expect((await read(key)).text).toBe(`${winner}`);
  const tag = created[winner]?.header("etag") ?? "";
  const replaced = await Promise.all(
    Array.from({ length: 12 }, (_, n) => put(key, `new ${n}`, { "If-Match": tag })),
  );
  expect(replaced.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(replaced.filter(({ status }) => status === 412)).toHaveLength(11);
});

describe("a taken key", () => {
  test("follows onConflict", async () => {
    const key = `${unique("put")}/a.txt`;
    const { id } = stored(await put(key, "one"));
    const refused = await put(key, "two", { query: "&onConflict=refuse" });
    expectFault(refused, 409);
    expect(codeOf(refused)).toBe("name_taken");
    const kept = await put(key, "two", { query: "&onConflict=keepBoth" });
    expect(kept.status).toBe(201);
    expect(stored(kept).name).toBe("a (2).txt");
    const skipped = await put(key, "three", { query: "&onConflict=skip" });
    expect(skipped.status).toBe(200);
    expect(stored(skipped).id).toBe(id);
    expect((await read(key)).text).toBe("one");
  });

  test("is a conflict if a folder has it, or a file is in its path", async () => {
    const { key } = await a.folder(unique("put"));
    for (const taken of [key, `${stored(await put(`${key}/f`, "x")).key}/below`]) {
      const refused = await put(taken, "x");
      expectFault(refused, 409);
      expect(codeOf(refused)).toBe("name_taken");
    }
  });
});

describe("an Idempotency-Key", () => {
  const once = (idempotencyKey = unique("once")) => ({ "Idempotency-Key": idempotencyKey });

  test("gets the stored file from a repeated request, which changes nothing", async () => {
    for (const query of ["", "&onConflict=refuse", "&onConflict=keepBoth"]) {
      const key = `${unique("put")}/a.txt`;
      const headers = { ...once(), query };
      const first = await put(key, "one", headers);
      const again = await put(key, "one", headers);
      expect([first.status, again.status]).toEqual([201, 201]);
      expect(again.text).toBe(first.text);
      expect(again.header("etag")).toBe(first.header("etag"));
      expect((await read(key.replace("a.txt", "a (2).txt"))).status).toBe(404);
    }
  });

  test("holds for conditions, and for a replaced file", async () => {
    const key = `${unique("put")}/a.txt`;
    const creation = { ...once(), "If-None-Match": "*" };
    expect((await put(key, "one", creation)).status).toBe(201);
    expect((await put(key, "one", creation)).status).toBe(201);
    const replacing = { ...once(), "If-Match": (await put(key, "two")).header("etag") ?? "" };
    const first = await put(key, "three", replacing);
    const again = await put(key, "three", replacing);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.text).toBe(first.text);
  });

  test("is refused for another request with 422", async () => {
    const key = `${unique("put")}/a.txt`;
    const headers = once();
    expect((await put(key, "one", headers)).status).toBe(201);
    // One after another: beside each other, they would be refused as running.
    for (const other of [
      () => put(key, "two", headers),
      () => put(key, "one more", headers),
      () => put(`${key}x`, "one", headers),
      () => put(key, "one", { ...headers, query: "&visibility=public" }),
      () => put(key, "one", { ...headers, "If-Match": "*" }),
    ]) {
      const refused = await other();
      expectFault(refused, 422);
      expect(codeOf(refused)).toBe("idempotency_key_reused");
    }
    expect((await read(key)).text).toBe("one");
  });

  test("is the caller's own", async () => {
    const key = `${unique("put")}/a.txt`;
    const headers = once();
    await put(key, "one", headers);
    const made = await a.json("POST", "/api/keys", { name: unique("key") });
    const secret = JSON.parse(made.text).data.secret;
    expect((await put(key, "two", { ...headers, "API-Key": secret })).status).toBe(200);
    expect((await read(key)).text).toBe("two");
  });

  test("stores again if the file was changed, moved or deleted", async () => {
    const key = `${unique("put")}/a.txt`;
    const headers = once();
    await put(key, "one", headers);
    await put(key, "two");
    expect((await put(key, "one", headers)).status).toBe(200);
    expect((await read(key)).text).toBe("one");
    await a.json("DELETE", "/api/files", { key });
    expect((await put(key, "one", headers)).status).toBe(201);
  });

  test("of a request that was refused is still unused", async () => {
    const key = `${unique("put")}/a.txt`;
    const headers = once();
    expectFault(await put(key, "one", { ...headers, "If-Match": "*" }), 412);
    expect((await put(key, "one", headers)).status).toBe(201);
  });

  test("stores once for many requests at the same time", async () => {
    const key = `${unique("put")}/a.txt`;
    const headers = { ...once(), query: "&onConflict=keepBoth" };
    const responses = await Promise.all(Array.from({ length: 8 }, () => put(key, "one", headers)));
    for (const response of responses) {
      expect([201, 409]).toContain(response.status);
      if (response.status === 409) {
        expect(codeOf(response)).toBe("request_running");
        expect(response.header("retry-after")).toBe("1");
      }
    }
    expect(responses.some(({ status }) => status === 201)).toBe(true);
    expectFault(await read(key.replace("a.txt", "a (2).txt")), 404);
  });
});

describe("bad input", () => {
  const key = `${unique("put")}/bad.txt`;
  const digest = `sha-256=:${Buffer.alloc(32).toString("base64")}:`;
  test.each<[what: string, Promise<HttpResponse>, status: number, code: string]>([
    ["no key", put("", "x"), 400, "invalid_request"],
    ["the root", put("/", "x"), 400, "invalid_request"],
    ["a folder's key", put("photos/", "x"), 400, "invalid_request"],
    ["dots", put("a/../b", "x"), 400, "invalid_request"],
    ["a part", put(key, "x", { "Content-Range": "bytes 0-0/3" }), 400, "invalid_request"],
    ["another digest", put(key, "x", { "Content-Digest": digest }), 400, "digest_mismatch"],
    ["no metadata", put(key, "x", { query: "&metadata=7" }), 400, "invalid_request"],
    ["a misspelt field", put(key, "x", { query: "&visiblity=private" }), 400, "unknown_field"],
    ["too much", put(key, new Uint8Array(1024 * 1024 + 1)), 413, "too_large"],
    ["an empty name", put(key, "x", { "Idempotency-Key": "" }), 400, "invalid_request"],
    ["a long name", put(key, "x", { "Idempotency-Key": "x".repeat(256) }), 400, "invalid_request"],
    ["a coding", put(key, "x", { "Content-Encoding": "gzip" }), 415, "unsupported_media_type"],
  ])("%s stores nothing", async (_, request, status, code) => {
    const response = await request;
    expectFault(response, status);
    expect(codeOf(response)).toBe(code);
    expectFault(await read(key), 404);
  });
});

test("a key that may only write stores and replaces", async () => {
  const made = await a.json("POST", "/api/keys", { name: unique("key"), actions: ["write"] });
  const secret = z.object({ data: z.object({ secret: z.string() }) });
  const { data } = secret.parse(JSON.parse(made.text));
  const key = `${unique("put")}/a.txt`;
  for (const [content, status] of [
    ["one", 201],
    ["two", 200],
  ] as const) {
    expect((await put(key, content, { "API-Key": data.secret })).status).toBe(status);
  }
  expectFault(await read(key, { "API-Key": data.secret }), 403);
  expect((await read(key)).text).toBe("two");
});

test("the digest of the content is checked and metadata is kept", async () => {
  const key = `${unique("put")}/a.bin`;
  const sha256 = new Bun.CryptoHasher("sha256").update("content").digest("base64");
  const metadata = encodeURIComponent('{"cacheControl":"max-age=60"}');
  const response = await put(key, "content", {
    "Repr-Digest": `sha-256=:${sha256}:`,
    query: `&metadata=${metadata}&visibility=public`,
  });
  expect(response.status).toBe(201);
  expect((await read(key)).header("cache-control")).toBe("max-age=60");
});

test("GET answers ranges and conditions, by key and by id, safely with every status", async () => {
  const key = `${unique("put")}/page.html`;
  const { id } = stored(await put(key, "<h1>x</h1>", { query: "&visibility=public" }));
  const part = await read(key, { Range: "bytes=1-2" });
  expect([part.status, part.text]).toEqual([206, "h1"]);
  const whole = await a.get(`/api/files/content?id=${id}`);
  expect(whole.text).toBe("<h1>x</h1>");
  const tag = whole.header("etag") ?? "";
  const same = await read(key, { "If-None-Match": tag });
  const other = await read(key, { "If-Match": '"other"' });
  const missing = await read(`${key}.none`);
  const outside = await read(key, { Range: "bytes=99-" });
  const both = await a.get(`${pathOf(key)}&id=${id}`);
  const stranger = await send(server, "GET", pathOf(key));
  const answers = [part, whole, same, other, missing, outside, both, stranger];
  expect(answers.map(({ status }) => status)).toEqual([206, 200, 304, 412, 404, 416, 400, 401]);
  for (const answer of answers) expectSecurityHeaders(answer);
});
