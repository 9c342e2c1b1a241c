import { afterAll, describe, expect, test } from "bun:test";
import { api, send, unique } from "./client.ts";
import { expectFault, expectSecurityHeaders } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { raw } from "./raw.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);

const download = (id: string, headers: Readonly<Record<string, string>> = {}) =>
  a.get(`/api/files/download/${id}`, headers);

describe("a public file", () => {
  test("is sent as an attachment with the headers of hosting", async () => {
    const file = await a.put(`${unique("down")}/a.txt`, "content");
    const answer = await download(file.id);
    expect([answer.status, answer.text]).toEqual([200, "content"]);
    expect(answer.header("content-disposition")).toMatch(/^attachment; filename="?a\.txt"?/);
    const hosted = await send(server, "GET", `/${file.url}`);
    for (const name of [
      "content-type",
      "content-length",
      "etag",
      "last-modified",
      "cache-control",
      "accept-ranges",
      "content-security-policy",
      "x-content-type-options",
      "access-control-allow-origin",
      "cross-origin-resource-policy",
    ]) {
      expect(hosted.header(name)).not.toBeNull();
      expect([name, answer.all(name)]).toEqual([name, hosted.all(name)]);
    }
  });

  test("supports ranges and conditions", async () => {
    const file = await a.put(`${unique("down")}.txt`, "0123456789");
    const part = await download(file.id, { Range: "bytes=2-4" });
    expect([part.status, part.text]).toEqual([206, "234"]);
    expect(part.header("content-range")).toBe("bytes 2-4/10");
    expect(part.header("content-disposition")).toStartWith("attachment");
    const etag = part.header("etag") ?? "";
    const unchanged = await download(file.id, { "If-None-Match": etag });
    expect([unchanged.status, unchanged.text]).toEqual([304, ""]);
    const past = await download(file.id, { Range: "bytes=10-" });
    expectFault(past, 416);
    expect(past.header("content-range")).toBe("bytes */10");
    for (const answer of [part, unchanged, past]) {
      expectSecurityHeaders(answer);
      expect(answer.header("accept-ranges")).toBe("bytes");
    }
  });
});

describe("a private file", () => {
  test("is sent to a key with no-store and without validators", async () => {
    const file = await a.put(`${unique("down")}.txt`, "0123456789", { visibility: "private" });
    const whole = await download(file.id, { "If-None-Match": "*" });
    const part = await download(file.id, { Range: "bytes=-3" });
    const past = await download(file.id, { Range: "bytes=99-" });
    expect([whole.status, whole.text]).toEqual([200, "0123456789"]);
    expect([part.status, part.text]).toEqual([206, "789"]);
    expectFault(past, 416);
    for (const answer of [whole, part, past]) {
      expect(answer.header("cache-control")).toBe("private, no-store");
      expect(answer.header("etag")).toBeNull();
      expect(answer.header("last-modified")).toBeNull();
      expect(answer.header("access-control-allow-origin")).toBeNull();
      expectSecurityHeaders(answer);
    }
  });
});

test("an empty file", async () => {
  const file = await a.put(unique("empty"), "");
  const answer = await download(file.id);
  expect([answer.status, answer.bytes.length]).toEqual([200, 0]);
  expect(answer.header("content-length")).toBe("0");
});

describe("rejects", () => {
  test("requests without a key with 401, whether or not the file exists", async () => {
    const file = await a.put(unique("down"));
    for (const id of [file.id, "nope"]) {
      const answer = await send(server, "GET", `/api/files/download/${id}`);
      expectFault(answer, 401, /^Unauthorized$/);
      expectSecurityHeaders(answer);
    }
  });

  test.each(["nope", "%00", "%zz", "%FF", "..%2f..", "x".repeat(5_000), "a/b", ""])(
    "404 for the id %p",
    async (id) => {
      const answer = await raw(server.port, "GET", `/api/files/download/${id}`, {
        "API-Key": server.apiKey,
      });
      expectFault(answer, 404);
    },
  );

  test("the id of a folder and the key of a file with 404", async () => {
    const file = await a.put(`${unique("down")}/f`);
    expectFault(await download(file.folderId), 404);
    const missing = await download(encodeURIComponent(file.key));
    expectFault(missing, 404);
    expectSecurityHeaders(missing);
  });
});
