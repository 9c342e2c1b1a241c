import { expect, test } from "bun:test";
import { limitsSuite } from "./limits.suite.ts";
import { createMemoryLimit } from "./memory.ts";

limitsSuite("memory", () => {
  let time = 0;
  return {
    limit: createMemoryLimit({ limit: 3, window: 60_000, now: () => time }),
    pass: (ms) => {
      time += ms;
    },
  };
});

test("a limit of 0 allows everything", () => {
  const limit = createMemoryLimit({ limit: 0 });
  for (let i = 0; i < 1000; i += 1) expect(limit.take("a")).toEqual({ allowed: true });
});

test("remembers so many clients at most, and forgets the window that ends soonest", async () => {
  const limit = createMemoryLimit({ limit: 1, maxClients: 2, now: () => 0 });
  for (const client of ["a", "b", "c"]) await limit.take(client);
  expect((await limit.take("c")).allowed).toBe(false);
  expect((await limit.take("a")).allowed).toBe(true);
});
