import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import { checkThrottled } from "../access/check-throttled.ts";
import {
  createPasswordThrottle,
  type PasswordThrottle,
  type ThrottleSubject,
} from "../access/password-throttle.ts";
import { Fault } from "../domain/faults/fault.ts";
import { freshPrefix, openRedisFixture, type RedisFixture } from "./redis-client.fixture.ts";
import { createRedisPasswordThrottle } from "./redis-password-throttle.ts";
import { hasRedis, type RedisServer, startRedis } from "./redis-server.fixture.ts";

const subject = (id: string, maxWaitMs = 900_000): ThrottleSubject => ({
  kind: "test",
  id,
  freeAttempts: 3,
  maxWaitMs,
});

/** A wrong password. Returns the seconds to wait, 0 when the attempt is allowed. */
async function tryAttempt(
  throttle: PasswordThrottle,
  ...subjects: ThrottleSubject[]
): Promise<number> {
  try {
    await checkThrottled(throttle, subjects, () =>
      Promise.reject(new Fault("unauthorized", "The password is wrong.")),
    );
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (error.kind === "rate_limited") return error.retryAfter ?? Number.NaN;
    if (error.kind !== "unauthorized") throw error;
  }
  return 0;
}

describe.skipIf(!hasRedis)("the password throttle in Redis", () => {
  let server: RedisServer;
  let fixture: RedisFixture;
  beforeAll(async () => {
    server = await startRedis();
    fixture = await openRedisFixture(server);
  });
  afterAll(async () => {
    fixture?.redis.close();
    await server?.kill();
  });

  const open = (prefix = freshPrefix()): PasswordThrottle =>
    createRedisPasswordThrottle({
      redis: fixture.redis,
      prefix,
      fallback: createPasswordThrottle(),
    });

  /** The stored failures and the milliseconds to wait. */
  async function stored(prefix: string, id: string): Promise<{ count: number; wait: number }> {
    const text = String(await fixture.redis.send(["GET", `${prefix}test:${id}`]));
    const [seconds = 0, micros = 0] = [await fixture.redis.send(["TIME"])].flat().map(Number);
    const [count = 0, until = 0] = text.split(" ").map(Number);
    return { count, wait: Math.max(0, until - seconds * 1000 - micros / 1000) };
  }

  /** Ends the wait. */
  async function endWait(prefix: string, id: string): Promise<void> {
    const { count } = await stored(prefix, id);
    await fixture.redis.send(["SET", `${prefix}test:${id}`, `${count} 1`]);
  }

  test("allows the free attempts, then doubles the wait up to the maximum, as in memory", async () => {
    const prefix = freshPrefix();
    const throttle = open(prefix);
    const waits: number[] = [];
    for (let failure = 0; failure < 14; failure += 1) {
      expect(await tryAttempt(throttle, subject("a"))).toBe(0);
      const { wait } = await stored(prefix, "a");
      waits.push(Math.ceil(wait / 1000));
      if (wait > 4000) expect(await tryAttempt(throttle, subject("a"))).toBeWithin(1, 901);
      await endWait(prefix, "a");
    }
    // A busy machine may take a few seconds off.
    const expected = [0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900];
    for (const [at, wait] of waits.entries()) {
      expect(wait).toBeLessThanOrEqual(expected[at] ?? 0);
      expect(wait).toBeGreaterThan((expected[at] ?? 0) - 5);
    }
  });

  test("servers count concurrent attempts together, exactly", async () => {
    const prefix = freshPrefix();
    const servers = [open(prefix), open(prefix), open(prefix)];
    const five = { ...subject("a"), freeAttempts: 5 };
    const waits = await Promise.all(
      Array.from({ length: 30 }, (_, at) => tryAttempt(servers[at % 3] ?? open(prefix), five)),
    );
    expect(waits.filter((wait) => wait === 0)).toHaveLength(5);
  });

  test("an attempt waits for any of its subjects; a refused attempt is not counted", async () => {
    const prefix = freshPrefix();
    const throttle = open(prefix);
    await fixture.redis.send(["SET", `${prefix}test:a`, "9 99999999999999"]);
    for (let at = 0; at < 20; at += 1) {
      expect(await tryAttempt(throttle, subject("a"), subject("b"))).toBe(900);
    }
    expect(await fixture.redis.send(["EXISTS", `${prefix}test:b`])).toBe(0);
    expect(await tryAttempt(throttle, subject("b"))).toBe(0);
    expect(await tryAttempt(throttle, { ...subject("a"), kind: "other" })).toBe(0);
  });

  test("a success on one server resets the failures on all, and every key expires", async () => {
    const prefix = freshPrefix();
    const [one, two] = [open(prefix), open(prefix)];
    for (let at = 0; at < 2; at += 1) await tryAttempt(one, subject("a"));
    const left = Number(await fixture.redis.send(["PTTL", `${prefix}test:a`]));
    expect(left).toBeWithin(86_000_000, 86_402_000);
    await checkThrottled(two, [subject("a")], async () => {});
    expect(await fixture.redis.send(["EXISTS", `${prefix}test:a`])).toBe(0);
    for (let at = 0; at < 3; at += 1) expect(await tryAttempt(one, subject("a"))).toBe(0);
  });

  test("never waits longer than the maximum, even after a change of the clock", async () => {
    const prefix = freshPrefix();
    await fixture.redis.send(["SET", `${prefix}test:a`, "9 99999999999999"]);
    expect(await tryAttempt(open(prefix), subject("a", 60_000))).toBe(60);
  });

  test("the server's own counts decide when Redis does not reply", async () => {
    let isUp = true;
    const redis = {
      send: (command: readonly string[]) => (isUp ? fixture.redis.send(command) : undefined),
    };
    const fallback = createPasswordThrottle({ now: () => 0 });
    const throttle = createRedisPasswordThrottle({ redis, prefix: freshPrefix(), fallback });
    for (let at = 0; at < 3; at += 1) expect(await tryAttempt(throttle, subject("a"))).toBe(0);
    isUp = false;
    expect(await tryAttempt(throttle, subject("a"))).toBe(1);
    await throttle.end("right", subject("a"));
    expect(await tryAttempt(throttle, subject("a"))).toBe(0);
  });

  test("60 right passwords at once are accepted on three servers", async () => {
    const prefix = freshPrefix();
    const servers = [open(prefix), open(prefix), open(prefix)];
    const shared = { ...subject("all", 4000), isShared: true };
    const attempts = Array.from({ length: 60 }, (_, at) =>
      checkThrottled(servers[at % 3] ?? open(prefix), [subject("a"), shared], () => setImmediate()),
    );
    expect(await Promise.all(attempts)).toHaveLength(60);
  });

  test("a shared subject does not refuse new clients; others get turns", async () => {
    const throttle = open();
    const shared = { ...subject("all", 4000), freeAttempts: 10, isShared: true };
    const client = (id: string) => ({ ...subject(id), freeAttempts: 5 });
    for (let at = 0; at < 200; at += 1) {
      expect(await tryAttempt(throttle, client(`attacker ${at % 100}`), shared)).toBe(0);
    }
    expect(await tryAttempt(throttle, client("attacker 0"), shared)).toBe(0);
    const turns: number[] = [];
    for (let at = 1; at < 6; at += 1) {
      turns.push(await tryAttempt(throttle, client(`attacker ${at}`), shared));
    }
    expect(turns.every((wait, at) => wait > 4 * at - 2 && wait <= 4 * at + 4)).toBe(true);
    expect(await tryAttempt(throttle, client("honest"), shared)).toBe(0);
    // The turn has a time of its own.
    await Bun.sleep((turns[0] ?? 0) * 1000);
    expect(await tryAttempt(throttle, client("attacker 1"), shared)).toBe(0);
  });
});
