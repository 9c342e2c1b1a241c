import { describe, expect, test } from "bun:test";
import type { RateLimit, Verdict } from "./port.ts";

/** A limit of 3 requests in a window of 60 s, and the clock that it goes by. */
export interface LimitUnderTest {
  readonly limit: RateLimit;
  /** Moves the clock on by milliseconds. */
  pass(ms: number): void | Promise<void>;
  /** Milliseconds that it has moved by itself; never: it stands still. */
  drift?(): number;
}

/** A refusal until so many milliseconds have passed. */
function expectWait(verdict: Verdict, ms: number, drift = 0): void {
  const most = Math.ceil(ms / 1000);
  if (drift === 0) expect(verdict).toEqual({ allowed: false, retryAfter: most });
  expect(verdict.allowed).toBe(false);
  const { retryAfter } = { retryAfter: 0, ...verdict };
  expect(retryAfter).toBeLessThanOrEqual(most);
  expect(retryAfter).toBeGreaterThanOrEqual(Math.ceil((ms - drift) / 1000));
}

/** What every rate limit promises. */
export function rateLimitSuite(name: string, open: () => LimitUnderTest): void {
  describe(`rate limit: ${name}`, () => {
    test("allows up to the limit, then says how long to wait", async () => {
      const { limit, pass, drift } = open();
      for (let i = 0; i < 3; i += 1) expect((await limit.take("a")).allowed).toBe(true);
      await pass(1500);
      expectWait(await limit.take("a"), 58_500, drift?.());
    });

    test("starts the window with the first request and ends it after its length", async () => {
      const { limit, pass, drift } = open();
      await limit.take("a");
      // To the last millisecond, where the clock does not move on by itself.
      const rest = drift === undefined ? 1 : 20_000;
      await pass(60_000 - rest);
      await limit.take("a");
      await limit.take("a");
      expectWait(await limit.take("a"), rest, drift?.());
      await pass(rest);
      expect((await limit.take("a")).allowed).toBe(true);
    });

    test("gives a new window its whole budget, and no more", async () => {
      const { limit, pass, drift } = open();
      for (let i = 0; i < 9; i += 1) await limit.take("a");
      await pass(60_000);
      for (let i = 0; i < 3; i += 1) expect((await limit.take("a")).allowed).toBe(true);
      expectWait(await limit.take("a"), 60_000, drift?.());
    });

    test("refused requests do not make the wait longer", async () => {
      const { limit, pass } = open();
      for (let second = 0; second < 60; second += 1) {
        await limit.take("a");
        await pass(1000);
      }
      expect((await limit.take("a")).allowed).toBe(true);
    });

    test("allows exactly the limit of requests that come at once", async () => {
      const { limit } = open();
      const verdicts = await Promise.all(Array.from({ length: 50 }, () => limit.take("a")));
      expect(verdicts.filter((verdict) => verdict.allowed)).toHaveLength(3);
    });

    test("counts each client on its own, whatever it is called", async () => {
      const { limit } = open();
      const clients = ["a", "A", "", "a:b", "2001:db8:0:1", "__proto__", "{a}", "é"];
      for (const client of clients) {
        for (let i = 0; i < 3; i += 1) expect((await limit.take(client)).allowed).toBe(true);
      }
      for (const client of clients) expect((await limit.take(client)).allowed).toBe(false);
    });
  });
}
