import { describe, expect, test } from "bun:test";
import type { RateLimit, Verdict } from "./port.ts";

/** A limit of 3 requests in a window of 60 s, and its clock. */
export interface LimitUnderTest {
  readonly limit: RateLimit;
  /** Advances the clock. */
  pass(ms: number): void | Promise<void>;
  /** Milliseconds that the clock has advanced by itself; left out: none. */
  drift?(): number;
}

/** Expects a refusal with a Retry-After of `ms`, rounded up. */
function expectRetryAfter(verdict: Verdict, ms: number, drift = 0): void {
  const max = Math.ceil(ms / 1000);
  if (drift === 0) expect(verdict).toEqual({ allowed: false, retryAfter: max });
  expect(verdict.allowed).toBe(false);
  const { retryAfter } = { retryAfter: 0, ...verdict };
  expect(retryAfter).toBeLessThanOrEqual(max);
  expect(retryAfter).toBeGreaterThanOrEqual(Math.ceil((ms - drift) / 1000));
}

/** The contract of every rate limit. */
export function rateLimitSuite(name: string, open: () => LimitUnderTest): void {
  describe(`rate limit: ${name}`, () => {
    test("allows requests up to the limit, then returns the wait", async () => {
      const { limit, pass, drift } = open();
      for (let i = 0; i < 3; i += 1) expect((await limit.take("a")).allowed).toBe(true);
      await pass(1500);
      expectRetryAfter(await limit.take("a"), 58_500, drift?.());
    });

    test("a window starts with the first request and ends after 60 s", async () => {
      const { limit, pass, drift } = open();
      await limit.take("a");
      // To the millisecond where the clock stands still.
      const rest = drift === undefined ? 1 : 20_000;
      await pass(60_000 - rest);
      await limit.take("a");
      await limit.take("a");
      expectRetryAfter(await limit.take("a"), rest, drift?.());
      await pass(rest);
      expect((await limit.take("a")).allowed).toBe(true);
    });

    test("a new window has the whole budget, and no more", async () => {
      const { limit, pass, drift } = open();
      for (let i = 0; i < 9; i += 1) await limit.take("a");
      await pass(60_000);
      for (let i = 0; i < 3; i += 1) expect((await limit.take("a")).allowed).toBe(true);
      expectRetryAfter(await limit.take("a"), 60_000, drift?.());
    });

    test("refused requests do not extend the wait", async () => {
      const { limit, pass } = open();
      for (let second = 0; second < 60; second += 1) {
        await limit.take("a");
        await pass(1000);
      }
      expect((await limit.take("a")).allowed).toBe(true);
    });

    test("allows exactly the limit of concurrent requests", async () => {
      const { limit } = open();
      const verdicts = await Promise.all(Array.from({ length: 50 }, () => limit.take("a")));
      expect(verdicts.filter((verdict) => verdict.allowed)).toHaveLength(3);
    });

    test("counts each client separately, whatever its name", async () => {
      const { limit } = open();
      const clients = ["a", "A", "", "a:b", "2001:db8:0:1", "__proto__", "{a}", "é"];
      for (const client of clients) {
        for (let i = 0; i < 3; i += 1) expect((await limit.take(client)).allowed).toBe(true);
      }
      for (const client of clients) expect((await limit.take(client)).allowed).toBe(false);
    });
  });
}
