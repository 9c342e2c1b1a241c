import { afterAll, describe, expect, test } from "bun:test";
import { api, send } from "./client.ts";
import { expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { raw, rawRequest } from "./raw.ts";
import { expectUnchanged } from "./snapshot.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);
await a.put("present.txt");

const operations = [
  ["GET", "/api/files"],
  ["GET", "/api/files?id=x"],
  ["POST", "/api/files"],
  ["PUT", "/api/files"],
  ["DELETE", "/api/files"],
  ["POST", "/api/files/sign"],
  ["GET", "/api/files/download/x"],
  ["GET", "/api/folders"],
  ["POST", "/api/folders"],
  ["PUT", "/api/folders"],
  ["DELETE", "/api/folders"],
  ["GET", "/api/keys"],
  ["POST", "/api/keys"],
  ["PUT", "/api/keys"],
  ["DELETE", "/api/keys"],
] as const;

const withBody = operations.filter(
  ([method, path]) => method !== "GET" && !(method === "POST" && path === "/api/files"),
);

describe("401 Unauthorized", () => {
  test.each(operations)("%s %s without a valid key", async (method, path) => {
    const keys = ["", "wrong", `${server.apiKey}x`, server.apiKey.slice(0, -1), "é"];
    for (const headers of [{}, ...keys.map((key) => ({ "API-Key": key }))]) {
      const body = method === "GET" ? undefined : "not even JSON";
      const answer = await send(server, method, path, headers, body);
      expect(expectFault(answer, 401)).toBe("Unauthorized");
    }
  });

  test("accepts the key only in its header", async () => {
    const key = server.apiKey;
    for (const [path, headers] of [
      [`/api/files?API-Key=${key}&api_key=${key}`, {}],
      ["/api/files", { Authorization: `Bearer ${key}` }],
      ["/api/files", { "X-API-Key": key }],
      ["/api/files", { Cookie: `API-Key=${key}; holdall_session=${key}` }],
    ] as const) {
      expect(expectFault(await send(server, "GET", path, headers), 401)).toBe("Unauthorized");
    }
  });

  test("accepts the header name in any case", async () => {
    const answer = await raw(server.port, "GET", "/api/files", { "api-KEY": server.apiKey });
    expect(answer.status).toBe(200);
  });

  test("takes precedence over errors of method, path, query and size", async () => {
    for (const [method, path] of [
      ["PATCH", "/api/files"],
      ["POST", "/api/folders/x"],
      ["GET", "/api/unknown"],
      ["GET", "/api"],
      ["GET", "/api/"],
      ["GET", "/api/files?limit=-1"],
      ["PUT", "/api/files/sign"],
    ] as const) {
      expect(expectFault(await send(server, method, path), 401)).toBe("Unauthorized");
    }
    const huge = await send(server, "PUT", "/api/files", {}, " ".repeat(1_100_000));
    expect(expectFault(huge, 401)).toBe("Unauthorized");
  });
});

describe("405", () => {
  const allowed: Readonly<Record<string, readonly string[]>> = {
    "/api/files": ["GET", "POST", "PUT", "DELETE"],
    "/api/files/sign": ["POST"],
    "/api/files/download": ["GET", "POST"],
    "/api/files/download/x": ["GET"],
    "/api/folders/download": ["GET"],
    "/api/folders": ["GET", "POST", "PUT", "DELETE"],
    "/api/health": ["GET"],
    "/api/hosting/x": ["GET"],
    "/api/keys": ["GET", "POST", "PUT", "DELETE"],
  };
  for (const [path, methods] of Object.entries(allowed)) {
    const wrong = ["POST", "PUT", "DELETE", "PATCH"].filter((method) => !methods.includes(method));
    test.each(wrong)(`%s ${path}`, async (method) => {
      const answer = await expectUnchanged(server, () => a.json(method, path));
      expectFault(answer, 405);
      const allow = (answer.header("allow") ?? "").split(/\s*,\s*/);
      expect(allow.filter((one) => one !== "HEAD" && one !== "OPTIONS").sort()).toEqual(
        [...methods].sort(),
      );
    });
  }
});

describe("404 for an unknown path", () => {
  test.each([
    "/api/unknown",
    "/api",
    "/api/",
    "/api/filesx",
    "/api/files/unknown",
    "/api/files/sign/x",
    "/api/files/download/x/y",
    "/api/folders/x",
    "/api/health/x",
    "/api/%zz",
    "/api/%00",
  ])("%s", async (path) => {
    const answer = await raw(server.port, "GET", path, { "API-Key": server.apiKey });
    expectFault(answer, 404);
  });
});

/** What changes many at once takes more. */
const maxBytes = (method: string, path: string): number =>
  path === "/api/files/sign" || (path === "/api/files" && method !== "POST") ? 8 << 20 : 1 << 20;

describe("a JSON body", () => {
  for (const [method, path] of withBody) {
    test.each(["null", "[]", '"x"', "5", "true", "{", '{"id":}', "", "undefined", "{'id':'x'}"])(
      `${method} ${path} with %p is 400`,
      async (body) => {
        const answer = await send(
          server,
          method,
          path,
          { "API-Key": server.apiKey, "Content-Type": "application/json" },
          body,
        );
        expectFault(answer, 400);
      },
    );

    test(`${method} ${path} over its most bytes is 413`, async () => {
      const body = `{"id":"x","padding":"${"x".repeat(maxBytes(method, path))}"}`;
      const answer = await expectUnchanged(server, () => a.json(method, path, body));
      expectFault(answer, 413);
    });
  }

  test.each([
    ["PUT", "/api/files", 8 << 20],
    ["PUT", "/api/folders", 1 << 20],
  ] as const)("%s %s is accepted up to exactly %d bytes", async (method, path, max) => {
    const body = (size: number) => {
      const start = '{"id":"nope","name":"x","padding":"';
      return `${start}${"x".repeat(size - start.length - 2)}"}`;
    };
    expectFault(await a.json(method, path, body(max)), 404);
    expectFault(await a.json(method, path, body(max + 1)), 413);
    const text = body(max + 1);
    const answer = await rawRequest(
      server.port,
      `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAPI-Key: ${server.apiKey}\r\nTransfer-Encoding: chunked\r\n\r\n${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`,
    );
    expectFault(answer, 413);
  });

  test("with invalid UTF-8 never changes a name", async () => {
    const file = await a.put("utf8/file");
    const bytes = Buffer.from(`{"id":"${file.id}","name":"a\xffb"}`, "latin1");
    const headers = { "API-Key": server.apiKey, "Content-Type": "application/json" };
    const answer = await expectUnchanged(server, () =>
      send(server, "PUT", "/api/files", headers, bytes),
    );
    expectFault(answer, 400);
  });

  test("ignores unknown fields of a specified operation, including prototype names", async () => {
    const body = '{"id":"nope","name":"x","__proto__":{"a":1},"constructor":5,"extra":[1]}';
    expectFault(await a.json("PUT", "/api/files", body), 404);
  });

  test.each([
    ["POST", "/api/files"],
    ["PUT", "/api/files"],
    ["POST", "/api/uploads"],
    ["DELETE", "/api/folders"],
  ])("that is compressed is 415 with the reason: %s %s", async (method, path) => {
    const headers = { "API-Key": server.apiKey, "Content-Type": "application/json" };
    const encoded = { ...headers, "Content-Encoding": "gzip" };
    const body = Bun.gzipSync(Buffer.from("{}"));
    expectFault(await send(server, method, path, encoded, body), 415, /send it uncompressed/);
    const plain = { ...headers, "Content-Encoding": "identity" };
    expect((await send(server, method, path, plain, "{}")).status).not.toBe(415);
  });

  test("nested 100,000 levels deep is rejected without harm", async () => {
    const body = `{"id":"x","name":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    expectFault(await a.json("PUT", "/api/files", body), 400);
    expect((await send(server, "GET", "/api/health")).status).toBe(200);
  });
});
