import { expect, setSystemTime, test } from "bun:test";
import fc from "fast-check";
import { openPostgresCatalog } from "./postgres-catalog.ts";
import { postgresServer } from "./server.fixture.ts";
import { createServerClock } from "./server-clock.ts";

const YEAR_MS = 365 * 86_400_000;

test("is never further from the server's time than a reply took", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -YEAR_MS, max: YEAR_MS }),
      fc.array(fc.tuple(fc.nat(5000), fc.nat(5000), fc.nat(100_000)), { minLength: 1 }),
      (ahead, replies) => {
        let machine = 1000;
        const begun = Date.now() + ahead;
        const clock = createServerClock(() => machine);
        for (const [there, back, pause] of replies) {
          const sentAt = machine;
          machine += there;
          const told = begun + machine;
          machine += back;
          clock.note(told, sentAt);
          expect(Math.abs(clock.now() - (begun + machine))).toBeLessThanOrEqual(there + back + 1);
          machine += pause;
        }
      },
    ),
  );
});

test("a catalog tells its server's time, however wrong this machine's is", async () => {
  const url = await (await postgresServer()).fresh();
  const from = Date.now();
  try {
    setSystemTime(from + YEAR_MS);
    const catalog = await openPostgresCatalog({ url });
    expect(Math.abs(catalog.now() - from)).toBeLessThan(600_000);
    // A step of this machine's clock is nothing to it.
    setSystemTime(from - YEAR_MS);
    expect(Math.abs(catalog.now() - from)).toBeLessThan(600_000);
    await catalog.ping();
    expect(Math.abs(catalog.now() - from)).toBeLessThan(600_000);
    await catalog.close();
  } finally {
    setSystemTime();
  }
});
