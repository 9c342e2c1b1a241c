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
const timesTold = (server: TestServer, what: string) => server.output().split(what).length - 1;
const LOST = "cannot be used";
const BACK = "is back: ";

// `npm test` fetches it where it can, and says so where it is missing.
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
    if (server === undefined) throw new Error("There is no server");
    return server;
  };

  // A server that Redis does not answer in time decides by itself, which a busy machine can bring about:
  // so each is tried again, for other clients.
  let clients = 0;
  const nextClient = () => {
    clients += 1;
    return { "X-Forwarded-For": `203.0.113.${clients}` };
  };

  test("count requests in one budget, exactly", async () => {
    await eventually("seven of forty are let in", async () => {
      const client = nextClient();
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, at) => missing(each(at), client)),
      );
      const refused = answers.filter(({ status }) => status === 429);
      for (const { header } of refused) expect(Number(header("retry-after"))).toBeWithin(1, 61);
      return refused.length === 33;
    });
  });

  test("count guesses at a password together", async () => {
    await eventually(
      "five of seven guesses are let in",
      async () => {
        const client = nextClient();
        const guess = { email: `${clients}@example.com`, password: "wrong password" };
        const statuses: number[] = [];
        for (let at = 0; at < 7; at += 1) {
          const answer = await fromPage(each(at), "POST", "/auth/sign-in", "", guess, client);
          statuses.push(answer.status);
        }
        return String(statuses) === "401,401,401,401,401,429,429";
      },
      20_000,
    );
  });

  test("an instance with another prefix has its own budgets", async () => {
    const other = await startServer({ ...LIMITS, REDIS_URL: redis.url, REDIS_PREFIX: "other:" });
    expect((await missing(other)).status).toBe(404);
    await other.discard();
  });

  test("the doctor is content, and says what is wrong with another address", async () => {
    const { stdout } = await run(["doctor"], each(0).env, 30_000);
    expect(stdout).not.toContain("Redis");
    const REDIS_URL = redis.url.replace(redis.password, "wrong-password-Zz");
    const told = await run(["doctor"], { ...each(0).env, REDIS_URL }, 30_000);
    expect(told.code).toBe(1);
    expect(told.stdout).toContain(`Redis at 127.0.0.1:${redis.port} ${LOST}: WRONGPASS`);
    expect(told.stdout).not.toContain("wrong-password-Zz");
  });
});

describe.skipIf(!hasRedis)("a server whose Redis goes", () => {
  let redis: RedisServer;
  let server: TestServer;
  beforeAll(async () => {
    redis = await startRedis();
    // With limits that are asked for, and never reached.
    const env = { RATE_LIMIT_API: "1000000", RATE_LIMIT_HOSTING: "1000000" };
    server = await startServer({ ...env, REDIS_URL: redis.url });
  });
  afterAll(async () => {
    await server.discard();
    await redis.kill();
  });

  /** Milliseconds that a request takes, in the middle of many. */
  async function usualTime(): Promise<number> {
    const times: number[] = [];
    for (let round = 0; round < 100; round += 1) {
      const from = performance.now();
      expect((await missing(server)).status).toBe(404);
      times.push(performance.now() - from);
    }
    return times.sort((a, b) => a - b)[50] ?? Number.NaN;
  }

  test.each([
    ["is killed", () => redis.kill(), () => redis.start()],
    ["hangs", async () => redis.suspend(), async () => redis.resume()],
  ])(
    "serves on when it %s, and says so once",
    async (_, take, giveBack) => {
      const before = [timesTold(server, LOST), timesTold(server, BACK)];
      expect((await ready(server)).text).not.toContain("degraded");
      const well = await usualTime();
      await take();
      try {
        expect(await usualTime()).toBeLessThan(well + 5);
        await eventually("it is told", () => timesTold(server, LOST) > (before[0] ?? 0), 20_000);
        expect(await usualTime()).toBeLessThan(well + 5);
        await eventually("readiness tells", async () => {
          const { status, text } = await ready(server);
          expect(status).toBe(200);
          return text.includes("degraded");
        });
      } finally {
        await giveBack();
      }
      await eventually("it is back", () => timesTold(server, BACK) > (before[1] ?? 0), 20_000);
      await eventually(
        "all is well",
        async () => !(await ready(server)).text.includes("degraded"),
        20_000,
      );
      const after = [timesTold(server, LOST), timesTold(server, BACK)];
      expect(after).toEqual(before.map((times) => times + 1));
      expect(server.output()).not.toContain(redis.password);
    },
    60_000,
  );
});

describe.skipIf(!hasRedis)("a start without the Redis that it is to have", () => {
  test("says why in one line, counts by itself, and is ready once Redis is there", async () => {
    const redis = await startRedis();
    await redis.kill();
    const server = await startServer({ ...LIMITS, REDIS_URL: redis.url });
    try {
      expect(timesTold(server, LOST)).toBe(1);
      expect(server.output()).toContain("ECONNREFUSED");
      const told = await ready(server);
      expect([told.status, told.text]).toEqual([
        503,
        expect.stringContaining("Redis has not answered since the start"),
      ]);
      for (let at = 0; at < 7; at += 1) expect((await missing(server)).status).toBe(404);
      expect((await missing(server)).status).toBe(429);
      await redis.start();
      await eventually("it is ready", async () => (await ready(server)).status === 200, 20_000);
      expect(timesTold(server, LOST)).toBe(1);
    } finally {
      await server.discard();
      await redis.kill();
    }
  }, 60_000);
});

test("an address that is none of Redis stops the start, and is not repeated", async () => {
  const env = { PATH: process.env.PATH, REDIS_URL: "https://user:s3cr3t-word@host", PORT: "0" };
  const { code, stderr } = await run([], env, 30_000);
  expect(code).toBe(1);
  expect(stderr).toContain("REDIS_URL");
  expect(stderr.trim()).not.toContain("\n");
  expect(stderr).not.toContain("s3cr3t-word");
});
