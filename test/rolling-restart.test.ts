import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { api, send, unique } from "./client.ts";
import { eventually } from "./expectations.ts";
import { hasHaproxy, startHaproxy } from "./haproxy.ts";
import { startServer, type TestServer } from "./harness.ts";
import { hasNginx, startNginx } from "./nginx.ts";

const CLIENTS = 8;

let servers: TestServer[];
beforeAll(async () => {
  const env = {
    INITIAL_API_KEY: "rolling-restart-key",
    RATE_LIMIT_API: "0",
    RATE_LIMIT_HOSTING: "0",
  };
  servers = await Promise.all([startServer(env), startServer(env)]);
  for (const server of servers) await api(server).put("kept.txt", "kept");
});
afterAll(() => Promise.all(servers.map((server) => server.discard())));

const portsOf = (): number[] => servers.map(({ port }) => port);

/** Sends downloads and uploads until `until` resolves. Returns what failed, and how many requests were sent. */
async function load(url: string, until: Promise<unknown>) {
  const failed: string[] = [];
  let sent = 0;
  let isOver = false;
  void until.then(() => {
    isOver = true;
  });
  const apiKey = servers[0]?.apiKey ?? "";
  const client = async (number: number): Promise<void> => {
    while (!isOver) {
      sent += 1;
      const answer =
        number % 2 === 0
          ? send({ url, apiKey }, "GET", "/api/hosting/kept.txt")
          : api({ url, apiKey }).json("POST", "/api/folders", { folder: unique("made") });
      const status = await answer.then((each) => each.status, String);
      if (status !== 200 && status !== 201) failed.push(`${number}: ${status}`);
      // The pace of a client.
      await Bun.sleep(5);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
  return { sent, failed };
}

async function restartEach(): Promise<void> {
  // Time for the clients to begin.
  await Bun.sleep(1000);
  for (const server of servers) {
    await server.stop();
    await server.restart({ PORT: String(server.port) });
    // HAProxy needs two successful checks.
    await Bun.sleep(6000);
  }
}

describe("a rolling restart fails no request", () => {
  test.skipIf(!hasHaproxy)("behind HAProxy", async () => {
    const url = await startHaproxy(portsOf());
    // Only its own checks tell HAProxy that the servers are ready.
    await Bun.sleep(3000);
    const { sent, failed } = await load(url, restartEach());
    expect(failed).toEqual([]);
    expect(sent).toBeGreaterThan(100);
  });

  test.skipIf(!hasNginx)("behind nginx", async () => {
    const upstreams = portsOf().map(
      (port) => `server 127.0.0.1:${port} max_fails=1 fail_timeout=5s;`,
    );
    const nginx = await startNginx(
      `location / {
        proxy_pass http://holdall; proxy_http_version 1.1; proxy_set_header Connection "";
        proxy_set_header Host $http_host;
      }`,
      `upstream holdall { ${upstreams.join(" ")} keepalive 32; }`,
    );
    const { sent, failed } = await load(nginx.url, restartEach());
    await nginx.stop();
    expect(failed).toEqual([]);
    expect(sent).toBeGreaterThan(100);
  });
});

describe("after SIGTERM", () => {
  test("a server that is probed says that it stops, and closes each connection", async () => {
    const server = await startServer();
    expect((await send(server, "GET", "/api/health/ready")).status).toBe(200);
    const from = performance.now();
    const stopped = server.stop();
    const probe = () => send(server, "GET", "/api/health/ready");
    await eventually("it is not ready", async () => (await probe()).status === 503);
    const ready = await probe();
    expect([ready.status, ready.header("connection")]).toEqual([503, "close"]);
    expect(ready.text).toContain("stopping");
    for (const path of ["/api/health", "/", "/api/hosting/none", "/unknown", "/s/unknown"]) {
      expect((await send(server, "GET", path)).header("connection")).toBe("close");
    }
    expect(await stopped).toBe(0);
    expect(performance.now() - from).toBeGreaterThan(5000);
    await server.discard();
  });

  test("a server to which nothing sends requests stops at once", async () => {
    const server = await startServer();
    const from = performance.now();
    expect(await server.stop()).toBe(0);
    expect(performance.now() - from).toBeLessThan(5000);
    await server.discard();
  });
});
