import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { hasS3Server, s3Server } from "../server/blobs/s3/s3-server.fixture.ts";
import { postgresServer } from "../server/catalog/postgres/server.fixture.ts";
import { api, send, unique } from "./client.ts";
import { eventually } from "./expectations.ts";
import { startServer, type TestServer } from "./harness.ts";
import type { HttpResponse } from "./http-response.ts";
import { codeOf } from "./people.fixture.ts";
import { openRaw } from "./raw.ts";
import { s3Environment } from "./s3-environment.ts";

describe.skipIf(!hasS3Server)("an Idempotency-Key on two servers with one database", () => {
  let servers: readonly [TestServer, TestServer];
  beforeAll(async () => {
    const env = {
      DATABASE_URL: await (await postgresServer()).fresh(),
      ...s3Environment(await (await s3Server()).fresh()),
      AUTH_SECRET: "of-all-servers-together-3f8c1b7e94d2",
      RATE_LIMIT_API: "0",
      // Which requests are running, each process knows only of its own.
      WORKERS: "1",
    };
    servers = [await startServer(env), await startServer(env)];
  }, 120_000);
  afterAll(() => Promise.all(servers.map((server) => server.discard())));

  interface Request {
    readonly key: string;
    readonly idempotencyKey: string;
    readonly content?: string;
    readonly headers?: Record<string, string>;
  }
  const pathOf = ({ key }: Request): string => `/api/files/content?key=${key}&onConflict=keepBoth`;
  const put = (server: TestServer, request: Request): Promise<HttpResponse> =>
    send(
      server,
      "PUT",
      pathOf(request),
      { "API-Key": server.apiKey, "Idempotency-Key": request.idempotencyKey, ...request.headers },
      request.content ?? "content",
    );
  const newRequest = (): Request => ({
    key: `${unique("once")}/a.txt`,
    idempotencyKey: unique("key"),
  });
  async function expectStoredOnce({ key }: Request): Promise<void> {
    const folder = key.slice(0, key.indexOf("/"));
    for (const server of servers) {
      const { files } = await api(server).browse(folder);
      expect(files.map((file) => file.key)).toEqual([key]);
    }
  }

  test("gets the stored file from the other server", async () => {
    const [one, two] = servers;
    const request = newRequest();
    const first = await put(one, request);
    expect(first.status).toBe(201);
    for (const server of [two, one]) {
      const again = await put(server, request);
      expect([again.status, again.text]).toEqual([first.status, first.text]);
      expect(again.header("etag")).toBe(first.header("etag"));
      const other = await put(server, { ...request, content: "other content" });
      expect(codeOf(other)).toBe("422 idempotency_key_reused");
    }
    await expectStoredOnce(request);
  });

  test("stores once if both get it at the same time", async () => {
    for (let round = 0; round < 10; round += 1) {
      const request = newRequest();
      const responses = await Promise.all(
        Array.from({ length: 8 }, (_, at) => put(servers[at % 2 === 0 ? 0 : 1], request)),
      );
      const stored = responses.filter(({ status }) => status === 201);
      expect(stored.length).toBeGreaterThan(0);
      expect(new Set(stored.map(({ text }) => text)).size).toBe(1);
      for (const response of responses) {
        if (response.status !== 201) expect(codeOf(response)).toBe("409 request_running");
      }
      await expectStoredOnce(request);
      for (const server of servers)
        expect((await put(server, request)).text).toBe(stored[0]?.text ?? "");
    }
  });

  /** Sends all but the last bytes of the content, which the caller may send later. */
  async function begin(server: TestServer, request: Request) {
    const connection = await openRaw(server.port);
    const headers = { "API-Key": server.apiKey, "Idempotency-Key": request.idempotencyKey };
    const lines = Object.entries({ ...headers, Host: "127.0.0.1", "Content-Length": "7" });
    const head = lines.map((pair) => `${pair.join(": ")}\r\n`).join("");
    connection.send(`PUT ${pathOf(request)} HTTP/1.1\r\n${head}\r\ncon`);
    await eventually("it is running", async () => {
      // It stores nothing, also if it comes before the other one.
      const probe = await put(server, { ...request, headers: { "If-Match": "*" } });
      return probe.status === 409 && codeOf(probe) === "409 request_running";
    });
    return connection;
  }

  test("belongs to the request that is complete first, on whichever server", async () => {
    const [one, two] = servers;
    const request = newRequest();
    const slow = await begin(one, request);
    const first = await put(two, request);
    expect(first.status).toBe(201);
    slow.send("tent");
    expect(codeOf(await slow.answer())).toBe("409 request_running");
    slow.destroy();
    expect((await put(one, request)).text).toBe(first.text);
    await expectStoredOnce(request);
  });

  test("is free after its request broke off", async () => {
    const [one, two] = servers;
    const request = newRequest();
    (await begin(one, request)).destroy();
    expect((await put(two, { ...request, content: "other" })).status).toBe(201);
    await eventually(
      "the first server knows",
      async () => (await put(one, request)).status === 422,
    );
    await expectStoredOnce(request);
  });
});
