import { describe, expect, test } from "bun:test";
import type { RateLimit } from "./port.ts";

/** A limit of 3 requests in a window of 60 s, and the clock that it goes by. */
export interface LimitUnderTest {
  readonly limit: RateLimit;
  /** Moves the clock on by milliseconds. */
  pass(ms: number): void | Promise<void>;
}

/** What every rate limit promises. */
export function limitsSuite(name: string, open: () => LimitUnderTest): void {
  describe(`rate limit: ${name}`, () => {
    test("allows up to the limit, then says how long to wait", async () => {
      const { limit, pass } = open();
      for (let i = 0; i < 3; i += 1) expect((await limit.take("a")).allowed).toBe(true);
      await pass(1500);
      expect(await limit.take("a")).toEqual({ allowed: false, retryAfter: 59 });
    });

    test("starts the window with the first request and ends it after its length", async () => {
      const { limit, pass } = open();
      await limit.take("a");
      await pass(59_999);
      await limit.take("a");
      await limit.take("a");
      expect(await limit.take("a")).toEqual({ allowed: false, retryAfter: 1 });
      await pass(1);
      expect((await limit.take("a")).allowed).toBe(true);
    });

    test("gives a new window its whole budget, and no more", async () => {
      const { limit, pass } = open();
      for (let i = 0; i < 9; i += 1) await limit.take("a");
      await pass(60_000);
      for (let i = 0; i < 3; i += 1) expect((await limit.take("a")).allowed).toBe(true);
      expect(await limit.take("a")).toEqual({ allowed: false, retryAfter: 60 });
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
