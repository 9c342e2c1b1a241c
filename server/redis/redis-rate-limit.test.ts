import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createMemoryRateLimit } from "../limits/memory-rate-limit.ts";
import type { RateLimit } from "../limits/port.ts";
import { rateLimitSuite } from "../limits/rate-limit.suite.ts";
import { freshPrefix, type LinkBed, openBed } from "./redis-client.fixture.ts";
import { createRedisRateLimit } from "./redis-rate-limit.ts";
import { hasRedis, type RedisServer, startRedis } from "./redis-server.fixture.ts";

describe.skipIf(!hasRedis)("limits in Redis", () => {
  let server: RedisServer;
  let bed: LinkBed;
  const root = freshPrefix();
  beforeAll(async () => {
    server = await startRedis();
    bed = await openBed(server, { prefix: root });
  });
  afterAll(async () => {
    bed?.link.close();
    await server?.kill();
  });

  const open = (prefix: string, link = bed.link, limit = 3): RateLimit =>
    createRedisRateLimit({
      ...{ link, prefix: root + prefix, limit, now: bed.now },
      own: createMemoryRateLimit({ limit }),
    });

  rateLimitSuite("Redis", () => {
    const begun = performance.now();
    const drift = () => performance.now() - begun + 1;
    return { limit: open(freshPrefix()), pass: bed.pass, drift };
  });

  test("several servers share one budget, and others with another prefix have their own", async () => {
    const second = await openBed(server);
    const shared = freshPrefix();
    const [one, two] = [open(shared), open(shared, second.link)];
    const verdicts = await Promise.all(
      Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? one : two).take("a")),
    );
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(3);
    expect((await open(freshPrefix()).take("a")).allowed).toBe(true);
    second.link.close();
  });

  test("every key ends by itself, also one that somebody has left without an end", async () => {
    const prefix = freshPrefix();
    const limit = open(prefix);
    const key = `${root}${prefix}a`;
    await bed.link.ask(["SET", key, "1000"]);
    expect((await limit.take("a")).allowed).toBe(true);
    await limit.take("a");
    const left = await bed.link.ask(["PTTL", key]);
    expect(left).toBeWithin(1, 60_001);
  });

  test("a flood of who is refused does not reach Redis, and stays refused without it", async () => {
    let asked = 0;
    const link = {
      ask(command: readonly string[]) {
        asked += 1;
        return asked > 4 ? undefined : bed.link.ask(command);
      },
    };
    // By what it has seen itself, it would let everybody in.
    const own: RateLimit = { take: () => ({ allowed: true }) };
    const prefix = root + freshPrefix();
    const limit = createRedisRateLimit({ link, prefix, limit: 3, own, now: bed.now });
    for (let at = 0; at < 3; at += 1) expect((await limit.take("a")).allowed).toBe(true);
    for (let at = 0; at < 50; at += 1) {
      const verdict = await limit.take("a");
      expect(verdict).toMatchObject({ allowed: false });
    }
    expect(asked).toBe(4);
    expect((await limit.take("b")).allowed).toBe(true);
    await bed.pass(60_000);
    expect((await limit.take("a")).allowed).toBe(true);
  });

  test("what this server has seen counts when Redis has no answer", async () => {
    const down = { ask: () => undefined };
    const limit = createRedisRateLimit({
      ...{ link: down, prefix: "x:", limit: 3 },
      own: createMemoryRateLimit({ limit: 3 }),
    });
    for (let at = 0; at < 3; at += 1) expect((await limit.take("a")).allowed).toBe(true);
    expect(await limit.take("a")).toEqual({ allowed: false, retryAfter: 60 });
  });
});
