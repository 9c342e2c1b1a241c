import { expect, test } from "bun:test";
import { type Counted, createCounterBuffer, createTally } from "./counter-buffer.ts";

const MINUTE = 60_000;

interface Counts {
  readonly count: number;
}

const one: Counts = { count: 1 };

/** A buffer that writes to a list. */
function open(options: { clock?: { now: number }; max?: number; kept?: number } = {}) {
  const { clock = { now: 0 }, max, kept } = options;
  const written: Counted<Counts>[][] = [];
  const removals: number[] = [];
  const problems: string[] = [];
  const store = { isDown: false, firstWrite: Promise.withResolvers<void>() };
  const buffer = createCounterBuffer<Counts>(
    {
      name: "counts of tests",
      newTally: () =>
        createTally((sum, { count }) => {
          sum.count += count;
        }, max),
      async write(counted) {
        if (store.isDown) throw new Error("The disk is full.");
        written.push([...counted]);
        store.firstWrite.resolve();
      },
      ...(kept !== undefined && {
        periods: { length: MINUTE, kept, remove: async (before) => void removals.push(before) },
      }),
    },
    { onError: (message) => void problems.push(message), now: () => clock.now },
  );
  return { buffer, written, removals, problems, store };
}

test("adds up the counts of each subject, and writes nothing without counts", async () => {
  const { buffer, written } = open();
  for (let round = 0; round < 3; round += 1) buffer.add("a", one);
  buffer.add("b", one);
  await Promise.all([buffer.flush(), buffer.flushAll(), buffer.close()]);
  expect(written).toEqual([
    [
      { period: 0, subject: "a", count: 3 },
      { period: 0, subject: "b", count: 1 },
    ],
  ]);
});

test("writes by itself at the end of the minute, also within the first second", async () => {
  const { buffer, written, store } = open({ clock: { now: MINUTE - 20 } });
  const start = performance.now();
  buffer.add("a", one);
  await store.firstWrite.promise;
  expect(performance.now() - start).toBeLessThan(900);
  expect(written).toHaveLength(1);
  await buffer.close();
});

test("keeps what could not be written for its period, and adds later counts to it", async () => {
  const clock = { now: 10 * MINUTE };
  const { buffer, written, problems, store } = open({ clock, kept: 2 });
  buffer.add("a", one);
  store.isDown = true;
  await buffer.flush();
  expect(problems).toEqual(["The counts of tests could not be written yet"]);
  buffer.add("a", one);
  clock.now += MINUTE;
  await buffer.flush();
  buffer.add("a", one);
  expect(buffer.unwritten("a", 10 * MINUTE)).toMatchObject([{ count: 2 }]);
  store.isDown = false;
  await buffer.close();
  expect(written).toEqual([
    [
      { period: 10 * MINUTE, subject: "a", count: 2 },
      { period: 11 * MINUTE, subject: "a", count: 1 },
    ],
  ]);
  expect(buffer.unwritten("a", 10 * MINUTE)).toEqual([]);
});

test("drops unwritten counts that are older than what is kept", async () => {
  const clock = { now: 10 * MINUTE };
  const { buffer, written, store } = open({ clock, kept: 2 });
  store.isDown = true;
  buffer.add("a", one);
  clock.now += 3 * MINUTE;
  await buffer.flush();
  store.isDown = false;
  await buffer.close();
  expect(written).toEqual([]);
});

test("removes old periods once in each period, also without counts", async () => {
  const clock = { now: 10 * MINUTE + 1 };
  const { buffer, removals } = open({ clock, kept: 2 });
  await buffer.flush();
  await buffer.flush();
  clock.now += MINUTE;
  await buffer.close();
  expect(removals).toEqual([8 * MINUTE, 9 * MINUTE]);
});

test("does not count subjects beyond the maximum, until the others are written", async () => {
  const { buffer, written } = open({ max: 1 });
  buffer.add("a", one);
  buffer.add("b", one);
  buffer.add("a", one);
  await buffer.flush();
  buffer.add("b", one);
  await buffer.close();
  expect(written.flat().map(({ subject, count }) => `${subject} ${count}`)).toEqual(["a 2", "b 1"]);
});

test("shows counts while they are written, apart from newer ones", async () => {
  const { buffer } = open();
  buffer.add("a", { count: 5 });
  const writing = buffer.flush();
  await Promise.resolve();
  buffer.add("a", one);
  expect(buffer.unwritten("a").map(({ count }) => count)).toEqual([1, 5]);
  await writing;
  expect(buffer.unwritten("a").map(({ count }) => count)).toEqual([1]);
  await buffer.close();
});
