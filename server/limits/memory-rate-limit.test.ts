import { expect, test } from "bun:test";
import fc from "fast-check";
import { processorTime } from "../../test/processor-time.fixture.ts";
import { createMemoryRateLimit } from "./memory-rate-limit.ts";
import { rateLimitSuite } from "./rate-limit.suite.ts";

rateLimitSuite("memory", () => {
  let time = 0;
  return {
    limit: createMemoryRateLimit({ limit: 3, window: 60_000, now: () => time }),
    pass: (ms) => {
      time += ms;
    },
  };
});

test("a limit of 0 allows everything", () => {
  const limit = createMemoryRateLimit({ limit: 0 });
  for (let i = 0; i < 1000; i += 1) expect(limit.take("a")).toEqual({ allowed: true });
});

test("at maxClients, drops the window that ends first", async () => {
  const limit = createMemoryRateLimit({ limit: 1, maxClients: 2, now: () => 0 });
  for (const client of ["a", "b", "c"]) await limit.take(client);
  expect((await limit.take("c")).allowed).toBe(false);
  expect((await limit.take("b")).allowed).toBe(false);
  expect((await limit.take("a")).allowed).toBe(true);
});

test("agrees with a simple model for any sequence of requests", () => {
  const request = fc.record({
    client: fc.constantFrom("a", "b", "c", "d", "e", "f"),
    wait: fc.constantFrom(0, 1, 30, 99, 100, 101, 500),
  });
  fc.assert(
    fc.property(
      fc.array(request, { maxLength: 200 }),
      fc.integer({ min: 1, max: 4 }),
      (requests, n) => {
        let time = 0;
        const limit = createMemoryRateLimit({ limit: n, window: 100, now: () => time });
        const model = new Map<string, { endsAt: number; count: number }>();
        for (const { client, wait } of requests) {
          time += wait;
          let window = model.get(client);
          if (window === undefined || window.endsAt <= time) {
            window = { endsAt: time + 100, count: 0 };
            model.set(client, window);
          }
          window.count += 1;
          expect(limit.take(client)).toMatchObject({ allowed: window.count <= n });
        }
      },
    ),
  );
});

test("stays small and fast with a million clients", async () => {
  let time = 0;
  const limit = createMemoryRateLimit({ limit: 1, maxClients: 10_000, now: () => time });
  Bun.gc(true);
  const before = process.memoryUsage().heapUsed;
  const startedAt = processorTime();
  for (let n = 0; n < 1_000_000; n += 1) {
    if (n % 50 === 0) time += 1;
    await limit.take(`10.${n}`);
  }
  expect(processorTime() - startedAt).toBeLessThan(8000);
  Bun.gc(true);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(16_000_000);
  expect((await limit.take("10.999999")).allowed).toBe(false);
});
