import { expect, test } from "bun:test";
import fc from "fast-check";
import { createStaleWhileRevalidateCache } from "./stale-while-revalidate-cache.ts";

/** Lets what is waiting go on. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("a copy that is young is gone by at once, one that ages is read anew, one that is old is waited for", async () => {
  let time = 0;
  let stored = 1;
  let reads = 0;
  let copy = 0;
  const held = createStaleWhileRevalidateCache(
    async () => {
      reads += 1;
      return stored;
    },
    (found) => {
      copy = found;
    },
    () => ({ steady: time, wall: time }),
  );
  await held.fresh();
  expect([copy, reads]).toEqual([1, 1]);
  stored = 2;
  time = 249;
  expect(held.fresh()).toBeUndefined();
  expect(reads).toBe(1);
  time = 250;
  expect(held.fresh()).toBeUndefined();
  expect(held.fresh()).toBeUndefined();
  await turn();
  expect([copy, reads]).toEqual([2, 2]);
  stored = 3;
  time = 750;
  const waiting = held.fresh();
  expect(waiting).toBeInstanceOf(Promise);
  await waiting;
  expect([copy, reads]).toEqual([3, 3]);
});

test("a machine that has slept, and one whose clock was set, read anew", async () => {
  const time = { steady: 0, wall: 0 };
  let reads = 0;
  const held = createStaleWhileRevalidateCache(
    async () => {
      reads += 1;
    },
    () => {},
    () => ({ ...time }),
  );
  await held.fresh();
  time.wall = 3_600_000;
  await held.fresh();
  expect(reads).toBe(2);
  time.wall = 0;
  time.steady = 600;
  await held.fresh();
  expect(reads).toBe(3);
});

test("what cannot be read anew is gone by for as long as it holds, and no longer", async () => {
  let time = 0;
  let isThere = true;
  const held = createStaleWhileRevalidateCache(
    async () => {
      if (!isThere) throw new Error("The catalog is gone");
    },
    () => {},
    () => ({ steady: time, wall: time }),
  );
  await held.fresh();
  isThere = false;
  time = 499;
  expect(held.fresh()).toBeUndefined();
  await turn();
  time = 500;
  expect(held.fresh()).rejects.toThrow("The catalog is gone");
  await turn();
  isThere = true;
  await held.fresh();
});

/** Reads see the store when they get there and come back later, in any order. */
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("pass" as const),
      ms: fc.integer({ min: 50, max: 400 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("change" as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("ask" as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("look" as const), at: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("answer" as const), at: fc.nat(3) }) },
);

test("nobody goes by what was changed 500 ms ago, however slow reading is and whoever asks when", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 120 }), async (steps) => {
      let time = 0;
      let stored = 0;
      let copy = -1;
      const changes = [{ version: 0, at: Number.NEGATIVE_INFINITY }];
      const reads: { seen: number | undefined; answer: (seen: number) => void }[] = [];
      /** For each who asked: the oldest that it might go by, and what it went by. */
      const gone: { least: number; by: number }[] = [];
      const held = createStaleWhileRevalidateCache(
        () => new Promise<number>((resolve) => reads.push({ seen: undefined, answer: resolve })),
        (found) => {
          copy = found;
        },
        () => ({ steady: time, wall: time }),
      );
      const answer = (at: number): void => {
        const [read] = reads.splice(at % reads.length, 1);
        read?.answer(read.seen ?? stored);
      };
      const started = held.refresh();
      answer(0);
      await started;
      for (const each of steps) {
        if (each.do === "pass") time += each.ms;
        else if (each.do === "change") {
          stored += 1;
          changes.push({ version: stored, at: time });
        } else if (each.do === "ask") {
          const known = changes.filter(({ at }) => at <= time - 500);
          const least = Math.max(...known.map(({ version }) => version));
          const wait = held.fresh();
          if (wait === undefined) gone.push({ least, by: copy });
          else void wait.then(() => gone.push({ least, by: copy }));
        } else if (reads.length === 0) continue;
        else if (each.do === "answer") answer(each.at);
        else {
          const read = reads[each.at % reads.length];
          if (read !== undefined) read.seen ??= stored;
        }
        await turn();
      }
      for (const { least, by } of gone) expect(by).toBeGreaterThanOrEqual(least);
    }),
    { numRuns: 1500 },
  );
});
