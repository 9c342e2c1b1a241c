import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { hasRedis, type RedisServer, startRedis } from "../server/redis/redis-server.fixture.ts";
import { send } from "./client.ts";
import { eventually } from "./expectations.ts";
import { startServer, type TestServer } from "./harness.ts";

const missing = (server: TestServer, headers = {}) =>
  send(server, "GET", "/api/hosting/missing", headers);
const ready = (server: TestServer) => send(server, "GET", "/api/health/ready");
const timesLogged = (server: TestServer, what: string) => server.output().split(what).length - 1;
const LOST = "cannot be used";
const BACK = "is back: ";

describe.skipIf(!hasRedis)("a server whose Redis fails", () => {
  let redis: RedisServer;
  let server: TestServer;
  beforeAll(async () => {
    redis = await startRedis();
    // Limits that are checked and never reached.
    const env = { RATE_LIMIT_API: "1000000", RATE_LIMIT_HOSTING: "1000000" };
    server = await startServer({ ...env, REDIS_URL: redis.url });
  });
  afterAll(async () => {
    await server.discard();
    await redis.kill();
  });

  /**
   * The median of the milliseconds that a request with a rate limit takes longer than one without. Other
   * work on the machine slows both down.
   */
  async function medianDelay(): Promise<number> {
    const delays: number[] = [];
    for (let round = 0; round < 100; round += 1) {
      const startedAt = performance.now();
      expect((await send(server, "GET", "/sign-in")).status).toBe(200);
      const between = performance.now();
      expect((await missing(server)).status).toBe(404);
      delays.push(performance.now() - between - (between - startedAt));
    }
    return delays.sort((a, b) => a - b)[50] ?? Number.NaN;
  }

  test.each([
    ["is killed", () => redis.kill(), () => redis.start()],
    ["hangs", async () => redis.suspend(), async () => redis.resume()],
  ])("goes on serving when it %s, and logs that once", async (_, fail, recover) => {
    const before = [timesLogged(server, LOST), timesLogged(server, BACK)];
    expect((await ready(server)).text).not.toContain("degraded");
    const normal = await medianDelay();
    await fail();
    try {
      expect(await medianDelay()).toBeLessThan(normal + 5);
      await eventually("the loss is logged", () => timesLogged(server, LOST) > (before[0] ?? 0));
      expect(await medianDelay()).toBeLessThan(normal + 5);
      await eventually("readiness reports it", async () => {
        const { status, text } = await ready(server);
        expect(status).toBe(200);
        return text.includes("degraded");
      });
    } finally {
      await recover();
    }
    await eventually("it is back", () => timesLogged(server, BACK) > (before[1] ?? 0));
    await eventually(
      "readiness no longer reports it",
      async () => !(await ready(server)).text.includes("degraded"),
    );
    const after = [timesLogged(server, LOST), timesLogged(server, BACK)];
    expect(after).toEqual(before.map((times) => times + 1));
    expect(server.output()).not.toContain(redis.password);
  });
});
