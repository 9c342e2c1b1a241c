import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  createPasswordThrottle,
  type PasswordThrottle,
  type ThrottleSubject,
} from "../access/password-throttle.ts";
import { Fault } from "../rules/fault.ts";
import { freshPrefix, type LinkBed, openBed } from "./redis-client.fixture.ts";
import { createRedisPasswordThrottle } from "./redis-password-throttle.ts";
import { hasRedis, type RedisServer, startRedis } from "./redis-server.fixture.ts";

const subject = (id: string, longestWait = 900_000): ThrottleSubject => ({
  ...{ kind: "test", id, freeTries: 3, longestWait },
});

/** Seconds to wait, 0 when the try is let through. */
async function tryOnce(
  throttle: PasswordThrottle,
  ...subjects: ThrottleSubject[]
): Promise<number> {
  try {
    await throttle.attempt(...subjects);
    return 0;
  } catch (error) {
    if (!(error instanceof Fault) || error.kind !== "rate_limited") throw error;
    return error.retryAfter ?? Number.NaN;
  }
}

describe.skipIf(!hasRedis)("guesses in Redis", () => {
  let server: RedisServer;
  let bed: LinkBed;
  beforeAll(async () => {
    server = await startRedis();
    bed = await openBed(server);
  });
  afterAll(async () => {
    bed?.link.close();
    await server?.kill();
  });

  const open = (prefix = freshPrefix()): PasswordThrottle =>
    createRedisPasswordThrottle({ link: bed.link, prefix, own: createPasswordThrottle() });

  /** The failures and the milliseconds to wait that are kept. */
  async function kept(prefix: string, id: string): Promise<{ count: number; wait: number }> {
    const text = String(await bed.link.ask(["GET", `${prefix}test:${id}`]));
    const [seconds = 0, micros = 0] = [await bed.link.ask(["TIME"])].flat().map(Number);
    const [count = 0, until = 0] = text.split(" ").map(Number);
    return { count, wait: until - seconds * 1000 - micros / 1000 };
  }

  /** Lets what is left of a wait pass. */
  async function waitOut(prefix: string, id: string): Promise<void> {
    const { count } = await kept(prefix, id);
    await bed.link.ask(["SET", `${prefix}test:${id}`, `${count} 1`]);
  }

  test("lets some failures go, then doubles the wait up to the longest, like the one in memory", async () => {
    const prefix = freshPrefix();
    const throttle = open(prefix);
    const waits: number[] = [];
    for (let failure = 0; failure < 14; failure += 1) {
      expect(await tryOnce(throttle, subject("a"))).toBe(0);
      const { wait } = await kept(prefix, "a");
      waits.push(Math.ceil(wait / 1000));
      if (wait > 4000) expect(await tryOnce(throttle, subject("a"))).toBeWithin(1, 901);
      await waitOut(prefix, "a");
    }
    // A busy machine may take a few seconds off.
    const usual = [0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900];
    for (const [at, wait] of waits.entries()) {
      expect(wait).toBeLessThanOrEqual(usual[at] ?? 0);
      expect(wait).toBeGreaterThan((usual[at] ?? 0) - 5);
    }
  });

  test("all servers count together, at once and exactly", async () => {
    const prefix = freshPrefix();
    const servers = [open(prefix), open(prefix), open(prefix)];
    const patient = { ...subject("a"), freeTries: 5 };
    const waits = await Promise.all(
      Array.from({ length: 30 }, (_, at) => tryOnce(servers[at % 3] ?? open(prefix), patient)),
    );
    expect(waits.filter((wait) => wait === 0)).toHaveLength(5);
  });

  test("makes a try wait for any of its subjects, and counts a refused one against nobody", async () => {
    const prefix = freshPrefix();
    const throttle = open(prefix);
    await bed.link.ask(["SET", `${prefix}test:a`, "9 99999999999999"]);
    for (let at = 0; at < 20; at += 1) {
      expect(await tryOnce(throttle, subject("a"), subject("b"))).toBe(900);
    }
    expect(await bed.link.ask(["EXISTS", `${prefix}test:b`])).toBe(0);
    expect(await tryOnce(throttle, subject("b"))).toBe(0);
    expect(await tryOnce(throttle, { ...subject("a"), kind: "other" })).toBe(0);
  }, 60_000);

  test("a right answer on one server starts anew on all, and every key ends by itself", async () => {
    const prefix = freshPrefix();
    const [one, two] = [open(prefix), open(prefix)];
    for (let at = 0; at < 3; at += 1) await tryOnce(one, subject("a"));
    const left = Number(await bed.link.ask(["PTTL", `${prefix}test:a`]));
    expect(left).toBeWithin(86_000_000, 86_402_000);
    await two.forgive(subject("a"));
    expect(await tryOnce(one, subject("a"))).toBe(0);
  });

  test("never waits longer than the longest, wherever the clock has been put", async () => {
    const prefix = freshPrefix();
    await bed.link.ask(["SET", `${prefix}test:a`, "9 99999999999999"]);
    expect(await tryOnce(open(prefix), subject("a", 60_000))).toBe(60);
  });

  test("what this server has seen counts when Redis has no answer", async () => {
    let isThere = true;
    const link = {
      ask: (command: readonly string[]) => (isThere ? bed.link.ask(command) : undefined),
    };
    const own = createPasswordThrottle({ now: () => 0 });
    const throttle = createRedisPasswordThrottle({ link, prefix: freshPrefix(), own });
    for (let at = 0; at < 3; at += 1) expect(await tryOnce(throttle, subject("a"))).toBe(0);
    isThere = false;
    expect(await tryOnce(throttle, subject("a"))).toBe(1);
    await throttle.forgive(subject("a"));
    expect(await tryOnce(throttle, subject("a"))).toBe(0);
  });
});
