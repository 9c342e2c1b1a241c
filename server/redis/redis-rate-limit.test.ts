import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createMemoryRateLimit } from "../limits/memory-rate-limit.ts";
import type { RateLimit } from "../limits/port.ts";
import { rateLimitSuite } from "../limits/rate-limit.suite.ts";
import { freshPrefix, openRedisFixture, type RedisFixture } from "./redis-client.fixture.ts";
import { createRedisRateLimit } from "./redis-rate-limit.ts";
import { hasRedis, type RedisServer, startRedis } from "./redis-server.fixture.ts";

describe.skipIf(!hasRedis)("rate limits in Redis", () => {
  let server: RedisServer;
  let fixture: RedisFixture;
  const root = freshPrefix();
  beforeAll(async () => {
    server = await startRedis();
    fixture = await openRedisFixture(server, { prefix: root });
  });
  afterAll(async () => {
    fixture?.redis.close();
    await server?.kill();
  });

  const open = (prefix: string, redis = fixture.redis, limit = 3): RateLimit =>
    createRedisRateLimit({
      redis,
      prefix: root + prefix,
      limit,
      now: fixture.now,
      fallback: createMemoryRateLimit({ limit }),
    });

  rateLimitSuite("Redis", () => {
    const startedAt = performance.now();
    const drift = () => performance.now() - startedAt + 1;
    return { limit: open(freshPrefix()), pass: fixture.pass, drift };
  });

  test("servers with the same prefix share one budget", async () => {
    const second = await openRedisFixture(server);
    const shared = freshPrefix();
    const [one, two] = [open(shared), open(shared, second.redis)];
    const verdicts = await Promise.all(
      Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? one : two).take("a")),
    );
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(3);
    expect((await open(freshPrefix()).take("a")).allowed).toBe(true);
    second.redis.close();
  });

  test("every key expires, also one found without an expiry", async () => {
    const prefix = freshPrefix();
    const limit = open(prefix);
    const key = `${root}${prefix}a`;
    await fixture.redis.send(["SET", key, "1000"]);
    expect((await limit.take("a")).allowed).toBe(true);
    await limit.take("a");
    const left = await fixture.redis.send(["PTTL", key]);
    expect(left).toBeWithin(1, 60_001);
  });

  test("a refused client does not reach Redis again, and stays refused without it", async () => {
    let sent = 0;
    const redis = {
      send(command: readonly string[]) {
        sent += 1;
        return sent > 4 ? undefined : fixture.redis.send(command);
      },
    };
    // The fallback would allow everything.
    const fallback: RateLimit = { take: () => ({ allowed: true }) };
    const prefix = root + freshPrefix();
    const limit = createRedisRateLimit({ redis, prefix, limit: 3, fallback, now: fixture.now });
    for (let at = 0; at < 3; at += 1) expect((await limit.take("a")).allowed).toBe(true);
    for (let at = 0; at < 50; at += 1) {
      const verdict = await limit.take("a");
      expect(verdict).toMatchObject({ allowed: false });
    }
    expect(sent).toBe(4);
    expect((await limit.take("b")).allowed).toBe(true);
    await fixture.pass(60_000);
    expect((await limit.take("a")).allowed).toBe(true);
  });

  test("the server's own counts decide when Redis does not reply", async () => {
    const down = { send: () => undefined };
    const limit = createRedisRateLimit({
      redis: down,
      prefix: "x:",
      limit: 3,
      fallback: createMemoryRateLimit({ limit: 3 }),
    });
    for (let at = 0; at < 3; at += 1) expect((await limit.take("a")).allowed).toBe(true);
    expect(await limit.take("a")).toEqual({ allowed: false, retryAfter: 60 });
  });
});
