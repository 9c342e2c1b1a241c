import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { api, send } from "./client.ts";
import { startServer, type TestServer } from "./harness.ts";
import { hasNginx, type Nginx, startNginx } from "./nginx.ts";

/** The `server` block of deploy/nginx.conf without TLS, in front of this port. */
function shippedLines(port: number): string {
  const path = fileURLToPath(new URL("../deploy/nginx.conf", import.meta.url));
  const [, block = ""] = /^server \{\n(.*)^\}/ms.exec(readFileSync(path, "utf8")) ?? [];
  return block
    .replace(/^ *(listen|ssl_\w+|server_name) .*$/gm, "")
    .replace("http://holdall", `http://127.0.0.1:${port}`);
}

describe.skipIf(!hasNginx)("behind nginx", () => {
  let server: TestServer;
  let shipped: Nginx;
  let defaults: Nginx;
  const upstream = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => new Response("", { headers: { "X-Long": "a".repeat(7000) } }),
  });
  beforeAll(async () => {
    server = await startServer();
    const plain = `location / { proxy_pass http://127.0.0.1:${server.port}; }`;
    defaults = await startNginx(plain);
    shipped = await startNginx(shippedLines(server.port));
  });
  afterAll(async () => {
    await defaults.stop();
    await shipped.stop();
    await upstream.stop(true);
    await server.discard();
  });

  test("a file with as much metadata as possible and the longest name is reachable", async () => {
    const { id, url } = await api(server).put("(".repeat(255), "content");
    const put = (metadata: object) => api(server).json("PUT", "/api/files", { id, metadata });
    const pairs = (count: number, length: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`x-${"n".repeat(length)}${10 + at}`, "1"]),
      );
    expect((await put(pairs(188, 1))).status).toBe(400);
    for (const metadata of [pairs(32, 15), { "x-a": "a".repeat(1778) }]) {
      expect((await put(metadata)).status).toBe(200);
      for (const nginx of [defaults, shipped]) {
        const answer = await send({ url: nginx.url, apiKey: "" }, "GET", `/${url}`);
        expect([answer.status, answer.text]).toEqual([200, "content"]);
        expect(answer.headers.length).toBeLessThan(100);
      }
      await put(Object.fromEntries(Object.keys(metadata).map((name) => [name, null])));
    }
  });

  test("deploy/nginx.conf passes on the host with its port, which S3 clients sign", async () => {
    const echo = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: (request) => new Response(request.headers.get("host")),
    });
    const nginx = await startNginx(shippedLines(echo.port ?? 0));
    const answer = await (await fetch(nginx.url)).text();
    await nginx.stop();
    await echo.stop(true);
    expect(answer).toBe(new URL(nginx.url).host);
  });

  test("deploy/nginx.conf accepts response heads of 7 KB", async () => {
    const nginx = await startNginx(shippedLines(upstream.port ?? 0));
    const answer = await fetch(nginx.url);
    await nginx.stop();
    expect([answer.status, answer.headers.get("x-long")?.length]).toEqual([200, 7000]);
  });
});
