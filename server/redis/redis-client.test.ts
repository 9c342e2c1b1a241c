import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eventually } from "../../test/expectations.ts";
import { openRedisFixture } from "./redis-client.fixture.ts";
import { hasRedis, type RedisServer, startRedis } from "./redis-server.fixture.ts";

describe.skipIf(!hasRedis)("the Redis client", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server?.kill());

  test("reports a killed Redis once, and reconnects", async () => {
    const { redis, events } = await openRedisFixture(server);
    expect(await redis.send(["PING"])).toBe("PONG");
    const reply = redis.send(["BLPOP", "nothing", "0"]);
    await server.kill();
    expect(await reply).toBeUndefined();
    await eventually("it is lost", () => redis.state() === "lost");
    expect(redis.send(["PING"])).toBeUndefined();
    // Time for further reports.
    await Bun.sleep(400);
    expect(events.map(({ event }) => event)).toEqual(["lost"]);
    await server.start();
    await eventually("it is back", () => redis.state() === "connected");
    expect(await redis.send(["PING"])).toBe("PONG");
    expect(events.map(({ event }) => event)).toEqual(["lost", "back"]);
    redis.close();
  });

  test("waits for a hung Redis until the deadline, and then not at all", async () => {
    const { redis, events } = await openRedisFixture(server, { deadlineMs: 50 });
    server.suspend();
    try {
      expect(await redis.send(["PING"])).toBeUndefined();
      // No further call waits, before the connection counts as lost and after.
      for (let round = 0; round < 200; round += 1) expect(redis.send(["PING"])).toBeUndefined();
      await eventually("it is lost", () => redis.state() === "lost");
      expect(redis.send(["PING"])).toBeUndefined();
      // Connecting succeeds, but there are no replies.
      await Bun.sleep(1500);
      expect(events.filter(({ event }) => event !== "slow").map(({ event }) => event)).toEqual([
        "lost",
      ]);
    } finally {
      server.resume();
    }
    await eventually("it is back", () => redis.state() === "connected");
    await eventually("it replies", async () => (await redis.send(["PING"])) === "PONG");
    redis.close();
  });

  test("does not report a short delay, and goes on after the reply", async () => {
    const { redis, events } = await openRedisFixture(server, { deadlineMs: 20, timeoutMs: 30_000 });
    const before = events.length;
    expect(redis.state()).toBe("connected");
    server.suspend();
    const late = await redis.send(["PING"]);
    server.resume();
    expect(late).toBeUndefined();
    await eventually("it replies again", async () => (await redis.send(["PING"])) === "PONG");
    expect([redis.state(), events.slice(before)]).toEqual(["connected", []]);
    redis.close();
  });

  test.each([
    ["WRONGPASS", (url: string) => url.replace(/:[^:@]+@/, ":wrong@")],
    ["NOAUTH", (url: string) => url.replace(/:[^:@]+@/, "")],
    ["DB index", (url: string) => `${url}/99`],
    ["ECONNREFUSED", (url: string) => url.replace(/\d+$/, "1")],
    ["no reply within|closed", (url: string) => url.replace("redis:", "rediss:")],
  ])("reports why Redis cannot be used: %s", async (reason, change) => {
    const { redis, events } = await openRedisFixture({ url: change(server.url) });
    expect(redis.state()).toBe("lost");
    expect(redis.send(["PING"])).toBeUndefined();
    const [lost] = events;
    if (lost?.event !== "lost") throw new Error("No loss was reported");
    expect(String(lost.cause)).toMatch(new RegExp(reason));
    expect(JSON.stringify(lost) + String(lost.cause)).not.toContain(server.password);
    redis.close();
  });

  test("a Redis that refuses writes counts as lost and is retried", async () => {
    const { redis, events } = await openRedisFixture(server);
    await redis.send(["REPLICAOF", "127.0.0.1", "1"]);
    expect(await redis.send(["SET", "a", "1"])).toBeUndefined();
    await eventually("it is lost", () => redis.state() === "lost");
    expect(events.map(({ event }) => event)).toEqual(["lost"]);
    const [lost] = events;
    expect(String(lost?.event === "lost" && lost.cause)).toContain("READONLY");
    const other = await openRedisFixture(server);
    expect(other.redis.state()).toBe("lost");
    other.redis.close();
    redis.close();
  });

  test("loads its scripts again when Redis has dropped them", async () => {
    await server.kill();
    await server.start();
    const { redis } = await openRedisFixture(server);
    await redis.send(["SCRIPT", "FLUSH"]);
    expect(await redis.send(["EVALSHA", "0".repeat(40), "0"])).toBeUndefined();
    await eventually("it is back", () => redis.state() === "connected");
    redis.close();
  });
});
