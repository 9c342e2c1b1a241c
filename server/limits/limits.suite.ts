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

    test("counts each client on its own", async () => {
      const { limit } = open();
      for (let i = 0; i < 4; i += 1) await limit.take("a");
      expect((await limit.take("b")).allowed).toBe(true);
    });
  });
}
