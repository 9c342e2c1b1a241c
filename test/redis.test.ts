import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { hasRedis, type RedisServer, startRedis } from "../server/redis/redis-server.fixture.ts";
import { send } from "./client.ts";
import { eventually } from "./expectations.ts";
import { run, startServer, type TestServer } from "./harness.ts";
import { fromPage } from "./session.ts";

const LIMITS = { RATE_LIMIT_API: "40", RATE_LIMIT_HOSTING: "7" };
const missing = (server: TestServer, headers = {}) =>
  send(server, "GET", "/api/hosting/missing", headers);
const ready = (server: TestServer) => send(server, "GET", "/api/health/ready");
const timesLogged = (server: TestServer, what: string) => server.output().split(what).length - 1;
const LOST = "cannot be used";

describe.skipIf(!hasRedis)("several servers with one Redis", () => {
  let redis: RedisServer;
  const servers: TestServer[] = [];
  beforeAll(async () => {
    redis = await startRedis();
    const env = { ...LIMITS, TRUSTED_PROXIES: "127.0.0.1", REDIS_URL: redis.url };
    const workers = process.platform === "linux" ? "2" : "1";
    for (const WORKERS of ["1", workers]) servers.push(await startServer({ ...env, WORKERS }));
  });
  afterAll(async () => {
    for (const server of servers) await server.discard();
    await redis.kill();
  });
  const each = (at: number): TestServer => {
    const server = servers[at % servers.length];
    if (server === undefined) throw new Error("No server");
    return server;
  };

  // On a busy machine a reply may miss the deadline, and the server then decides by itself. So each
  // test tries again with another client.
  let clients = 0;
  const nextClient = () => {
    clients += 1;
    return { "X-Forwarded-For": `203.0.113.${clients}` };
  };

  test("share one request budget exactly", async () => {
    await eventually("seven of forty requests are allowed", async () => {
      const client = nextClient();
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, at) => missing(each(at), client)),
      );
      const refused = answers.filter(({ status }) => status === 429);
      for (const { header } of refused) expect(Number(header("retry-after"))).toBeWithin(1, 61);
      return refused.length === 33;
    });
  });

  test("count password attempts together", async () => {
    await eventually("five of seven attempts are allowed", async () => {
      const client = nextClient();
      const attempt = { email: `${clients}@example.com`, password: "wrong password" };
      const statuses: number[] = [];
      for (let at = 0; at < 7; at += 1) {
        const answer = await fromPage(each(at), "POST", "/auth/sign-in", "", attempt, client);
        statuses.push(answer.status);
      }
      return String(statuses) === "401,401,401,401,401,429,429";
    });
  });

  test("an instance with another prefix has its own budgets", async () => {
    const other = await startServer({ ...LIMITS, REDIS_URL: redis.url, REDIS_PREFIX: "other:" });
    expect((await missing(other)).status).toBe(404);
    await other.discard();
  });

  test("the doctor reports a wrong password, and nothing otherwise", async () => {
    const { stdout } = await run(["doctor"], each(0).env);
    expect(stdout).not.toContain("Redis");
    const REDIS_URL = redis.url.replace(redis.password, "wrong-password-Zz");
    const report = await run(["doctor"], { ...each(0).env, REDIS_URL });
    expect(report.code).toBe(1);
    expect(report.stdout).toContain(`Redis at 127.0.0.1:${redis.port} ${LOST}: WRONGPASS`);
    expect(report.stdout).not.toContain("wrong-password-Zz");
  });
});

describe.skipIf(!hasRedis)("a start without Redis", () => {
  test("logs the reason once, counts by itself, and is degraded until Redis is available", async () => {
    const redis = await startRedis();
    await redis.kill();
    const server = await startServer({ ...LIMITS, REDIS_URL: redis.url });
    try {
      expect(timesLogged(server, LOST)).toBe(1);
      expect(server.output()).toContain("ECONNREFUSED");
      const readiness = await ready(server);
      expect([readiness.status, readiness.text]).toEqual([
        200,
        expect.stringContaining("degraded"),
      ]);
      for (let at = 0; at < 7; at += 1) expect((await missing(server)).status).toBe(404);
      expect((await missing(server)).status).toBe(429);
      await redis.start();
      await eventually(
        "it is not degraded",
        async () => !(await ready(server)).text.includes("degraded"),
      );
      expect(timesLogged(server, LOST)).toBe(1);
    } finally {
      await server.discard();
      await redis.kill();
    }
  });
});

test("refuses to start with an invalid REDIS_URL, and does not print it", async () => {
  const env = { PATH: process.env.PATH, REDIS_URL: "https://user:s3cr3t-word@host", PORT: "0" };
  const { code, stderr } = await run([], env);
  expect(code).toBe(1);
  expect(stderr).toContain("REDIS_URL");
  expect(stderr.trim()).not.toContain("\n");
  expect(stderr).not.toContain("s3cr3t-word");
});
