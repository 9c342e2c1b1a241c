import { afterAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { api } from "./client.ts";
import { expectData, expectFault, expectSecurityHeaders } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { raw } from "./raw.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);

const content = "0123456789";
const open = await a.put("conditions/open.txt", content);
const secret = await a.put("conditions/secret.txt", content, { visibility: "private" });

type Headers = Readonly<Record<string, string>>;

const ask = (target: string, headers: Headers, method = "GET") =>
  raw(server.port, method, target, { "API-Key": server.apiKey, ...headers });

const first = await ask(`/${open.url}`, {});
const etag = first.header("etag") ?? "";
const modified = first.header("last-modified") ?? "";
const dated = (seconds: number) => new Date(Date.parse(modified) + seconds * 1_000).toUTCString();
const rfc850 = (() => {
  const [, day = "", month = "", year = "", time = ""] = modified.split(/[ ,]+/);
  const weekday = new Date(modified).toLocaleDateString("en-US", {
    weekday: "long",
    timeZone: "UTC",
  });
  return `${weekday}, ${day}-${month}-${year.slice(2)} ${time} GMT`;
})();

for (const [what, target] of [
  ["hosting", `/${open.url}`],
  ["download", `/api/files/download/${open.id}`],
] as const) {
  describe(`${what} of a public file`, () => {
    const matching: readonly (readonly [string, Headers])[] = [
      ["its ETag", { "If-None-Match": etag }],
      ["its ETag, weak", { "If-None-Match": `W/${etag}` }],
      ["a list with it", { "If-None-Match": `"x", ${etag},"y"` }],
      ["a list with it, weak", { "If-None-Match": `"a,b", W/"x" , W/${etag}` }],
      ["a star", { "If-None-Match": "*" }],
      ["its time", { "If-Modified-Since": modified }],
      ["a later time", { "If-Modified-Since": dated(60) }],
      ["its time in RFC 850's form", { "If-Modified-Since": rfc850 }],
      ["its ETag and an old time", { "If-None-Match": etag, "If-Modified-Since": dated(-60) }],
      ["its ETag and a range", { "If-None-Match": etag, Range: "bytes=0-1" }],
      ["its ETag and a range past the end", { "If-None-Match": etag, Range: "bytes=99-" }],
    ];
    for (const method of ["GET", "HEAD"]) {
      test.each(matching)(`${method} with %s is 304 without a body`, async (_what, headers) => {
        const answer = await ask(target, headers, method);
        expect(answer.status).toBe(304);
        expect(answer.excess.length).toBe(0);
        expect(answer.all("etag")).toEqual([etag]);
        expect(answer.all("last-modified")).toEqual([modified]);
        expect(answer.all("cache-control")).toEqual(["public, max-age=0, must-revalidate"]);
        expect(answer.all("accept-ranges")).toEqual(["bytes"]);
        expect(answer.header("content-range")).toBeNull();
        expectSecurityHeaders(answer);
      });
    }

    test.each<readonly [string, Headers]>([
      ["another ETag", { "If-None-Match": '"x"' }],
      ["its ETag without quotes", { "If-None-Match": etag.replaceAll('"', "") }],
      ["half its ETag", { "If-None-Match": `${etag.slice(0, -2)}"` }],
      ["its ETag inside another", { "If-None-Match": `"x${etag.slice(1)}` }],
      ["another ETag and its time", { "If-None-Match": '"x"', "If-Modified-Since": modified }],
      ["an older time", { "If-Modified-Since": dated(-1) }],
      ["a time that is none", { "If-Modified-Since": "yesterday" }],
      ["a number for a time", { "If-Modified-Since": "99999999999999" }],
      ["an ISO time", { "If-Modified-Since": "2099-01-01T00:00:00Z" }],
    ])("%s gives the file", async (_what, headers) => {
      const answer = await ask(target, headers);
      expect([answer.status, answer.text]).toEqual([200, content]);
    });

    describe("If-Range", () => {
      const conditional = (value: string) => ask(target, { Range: "bytes=2-5", "If-Range": value });

      test("with the current ETag or time returns the range", async () => {
        for (const value of [etag, modified]) {
          const answer = await conditional(value);
          expect([value, answer.status, answer.text]).toEqual([value, 206, "2345"]);
        }
      });

      test.each([
        ["a stale ETag", '"x"'],
        ["the ETag, weak", `W/${etag}`],
        ["the ETag without quotes", etag.replaceAll('"', "")],
        ["a star", "*"],
        ["a list", `${etag}, "x"`],
        ["a later time", dated(60)],
        ["an earlier time", dated(-60)],
        ["nonsense", "tomorrow"],
      ])("with %s gives the whole file", async (_what, value) => {
        const answer = await conditional(value);
        expect([answer.status, answer.text]).toEqual([200, content]);
        expect(answer.header("content-range")).toBeNull();
        expect(answer.header("content-length")).toBe("10");
      });

      test("that is stale returns the whole file, even for a range past the end", async () => {
        const answer = await ask(target, { Range: "bytes=99-", "If-Range": '"x"' });
        expect([answer.status, answer.text]).toEqual([200, content]);
      });

      test("without a range is ignored", async () => {
        const answer = await ask(target, { "If-Range": etag });
        expect([answer.status, answer.text]).toEqual([200, content]);
      });
    });
  });
}

for (const [what, target] of [
  ["hosting", `/${secret.url}`],
  ["download", `/api/files/download/${secret.id}`],
] as const) {
  describe(`${what} of a private file ignores conditions`, () => {
    test.each<readonly [string, Headers]>([
      ["a star", { "If-None-Match": "*" }],
      ["the public ETag", { "If-None-Match": etag }],
      ["a later time", { "If-Modified-Since": dated(3_600) }],
    ])("%s gives the file", async (_what, headers) => {
      const answer = await ask(target, headers);
      expect([answer.status, answer.text]).toEqual([200, content]);
      expect(answer.header("etag")).toBeNull();
      expect(answer.header("last-modified")).toBeNull();
      expect(answer.header("cache-control")).toBe("private, no-store");
      const part = await ask(target, { ...headers, Range: "bytes=2-5" });
      expect([part.status, part.text]).toEqual([206, "2345"]);
    });

    test("If-Range always returns the whole file", async () => {
      await a.json("PUT", "/api/files", { id: secret.id, visibility: "public" });
      const hosted = await ask(`/${secret.url}`, {});
      await a.json("PUT", "/api/files", { id: secret.id, visibility: "private" });
      const known = [hosted.header("etag") ?? "", hosted.header("last-modified") ?? ""];
      for (const value of [...known, '"x"', "*"]) {
        const answer = await ask(target, { Range: "bytes=2-5", "If-Range": value });
        expect([value, answer.status, answer.text]).toEqual([value, 200, content]);
      }
    });
  });
}

const batchOf = z.object({ url: z.string() });

describe("a change", () => {
  const remove = (id: string, headers: Headers) => a.json("DELETE", "/api/files", { id }, headers);

  test.each<readonly [string, Headers]>([
    ["another ETag", { "If-Match": '"other"' }],
    ["its ETag", { "If-Match": etag }],
    ["no value", { "If-Match": "" }],
    ["a star", { "If-None-Match": "*" }],
    ["an old time", { "If-Unmodified-Since": dated(-60) }],
    ["a time that is none", { "If-Unmodified-Since": "yesterday" }],
  ])("with the condition %s is refused, and not made", async (_what, headers) => {
    const answer = await remove(open.id, headers);
    expectFault(answer, 400, /takes no condition, .* Nothing was changed/);
    expect((await ask(`/${open.url}`, {})).status).toBe(200);
  });

  test("ignores If-Modified-Since and If-Range, which are for reads", async () => {
    const { id } = await a.put("conditions/removed.txt", content);
    const answer = await remove(id, { "If-Modified-Since": dated(60), "If-Range": '"other"' });
    expect(answer.status, answer.text).toBe(200);
  });

  test("of tus is refused, and the upload stays as it was", async () => {
    const tus = { "Tus-Resumable": "1.0.0", "Upload-Length": "1" };
    const named = { ...tus, "Upload-Metadata": `filename ${btoa("conditions.txt")}` };
    const refused = /takes no condition, .* Nothing was changed/;
    const condition = { "If-Match": '"other"' };
    expectFault(await ask("/api/uploads", { ...named, ...condition }, "POST"), 400, refused);
    const created = await ask("/api/uploads", named, "POST");
    expect(created.status, created.text).toBe(201);
    const path = new URL(created.header("location") ?? "", "http://localhost").pathname;
    const bytes = { "Upload-Offset": "0", "Content-Type": "application/offset+octet-stream" };
    for (const method of ["PATCH", "DELETE"]) {
      const headers = { ...tus, ...(method === "PATCH" ? bytes : {}), ...condition };
      expectFault(await ask(path, headers, method), 400, refused);
    }
    expect((await ask(path, tus, "HEAD")).header("upload-offset")).toBe("0");
  });

  test.each<readonly [string, string]>([
    ["If-Match", '"other"'],
    ["If-None-Match", "*"],
    ["If-Unmodified-Since", dated(-60)],
  ])("that creates an upload with JSON is refused with %s", async (name, value) => {
    const { url } = expectData(await a.json("POST", "/api/batches", {}), batchOf);
    const body = { name: "conditional.txt", size: 1 };
    for (const path of ["/api/uploads", `/${url}/uploads`]) {
      const answer = await a.json("POST", path, body, { [name]: value });
      expectFault(answer, 400, /takes no condition, .* Nothing was changed/);
    }
  });
});
