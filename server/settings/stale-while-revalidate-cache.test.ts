import { expect, test } from "bun:test";
import fc from "fast-check";
import { createStaleWhileRevalidateCache } from "./stale-while-revalidate-cache.ts";

/** Lets pending promises continue. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("uses a young value at once, revalidates an aging one, waits for an expired one", async () => {
  let time = 0;
  let stored = 1;
  let reads = 0;
  let cached = 0;
  const cache = createStaleWhileRevalidateCache(
    async () => {
      reads += 1;
      return stored;
    },
    (value) => {
      cached = value;
    },
    () => ({ monotonic: time, wall: time }),
  );
  await cache.fresh();
  expect([cached, reads]).toEqual([1, 1]);
  stored = 2;
  time = 249;
  expect(cache.fresh()).toBeUndefined();
  expect(reads).toBe(1);
  time = 250;
  expect(cache.fresh()).toBeUndefined();
  expect(cache.fresh()).toBeUndefined();
  await turn();
  expect([cached, reads]).toEqual([2, 2]);
  stored = 3;
  time = 750;
  const waiting = cache.fresh();
  expect(waiting).toBeInstanceOf(Promise);
  await waiting;
  expect([cached, reads]).toEqual([3, 3]);
});

test("reads again after the machine has slept or its clock was set", async () => {
  const time = { monotonic: 0, wall: 0 };
  let reads = 0;
  const cache = createStaleWhileRevalidateCache(
    async () => {
      reads += 1;
    },
    () => {},
    () => ({ ...time }),
  );
  await cache.fresh();
  time.wall = 3_600_000;
  await cache.fresh();
  expect(reads).toBe(2);
  time.wall = 0;
  time.monotonic = 600;
  await cache.fresh();
  expect(reads).toBe(3);
});

test("uses a value that cannot be refreshed until it expires, and no longer", async () => {
  let time = 0;
  let isUp = true;
  const cache = createStaleWhileRevalidateCache(
    async () => {
      if (!isUp) throw new Error("The catalog is gone");
    },
    () => {},
    () => ({ monotonic: time, wall: time }),
  );
  await cache.fresh();
  isUp = false;
  time = 499;
  expect(cache.fresh()).toBeUndefined();
  await turn();
  time = 500;
  await expect(cache.fresh()).rejects.toThrow("The catalog is gone");
  await turn();
  isUp = true;
  await cache.fresh();
});

/** Reads see the stored value at "observe" and resolve at "resolve", in any order. */
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("wait" as const),
      ms: fc.integer({ min: 50, max: 400 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("change" as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("use" as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("observe" as const), at: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("resolve" as const), at: fc.nat(3) }) },
);

test("no caller uses a value that was replaced 500 ms ago, for any order of reads and calls", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 120 }), async (steps) => {
      let time = 0;
      let stored = 0;
      let cached = -1;
      const changes = [{ version: 0, at: Number.NEGATIVE_INFINITY }];
      const reads: { seen: number | undefined; resolve: (seen: number) => void }[] = [];
      /** For each use: the oldest version allowed, and the version used. */
      const uses: { oldest: number; version: number }[] = [];
      const cache = createStaleWhileRevalidateCache(
        () => new Promise<number>((resolve) => reads.push({ seen: undefined, resolve })),
        (value) => {
          cached = value;
        },
        () => ({ monotonic: time, wall: time }),
      );
      const resolveRead = (at: number): void => {
        const [read] = reads.splice(at % reads.length, 1);
        read?.resolve(read.seen ?? stored);
      };
      const started = cache.refresh();
      resolveRead(0);
      await started;
      for (const each of steps) {
        if (each.do === "wait") time += each.ms;
        else if (each.do === "change") {
          stored += 1;
          changes.push({ version: stored, at: time });
        } else if (each.do === "use") {
          const known = changes.filter(({ at }) => at <= time - 500);
          const oldest = Math.max(...known.map(({ version }) => version));
          const wait = cache.fresh();
          if (wait === undefined) uses.push({ oldest, version: cached });
          else void wait.then(() => uses.push({ oldest, version: cached }));
        } else if (reads.length === 0) continue;
        else if (each.do === "resolve") resolveRead(each.at);
        else {
          const read = reads[each.at % reads.length];
          if (read !== undefined) read.seen ??= stored;
        }
        await turn();
      }
      for (const { oldest, version } of uses) expect(version).toBeGreaterThanOrEqual(oldest);
    }),
    { numRuns: 1500 },
  );
});
