import { expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import { forEachConcurrently } from "./for-each-concurrently.ts";

async function* numbers(count: number): AsyncGenerator<number> {
  for (let n = 0; n < count; n += 1) yield n;
}

test.each([
  ["an iterable", () => Array(100).keys()],
  ["an async generator", () => numbers(100)],
] as const)("handles each item of %s once, with limited concurrency", async (_, items) => {
  const seen: number[] = [];
  let [running, maxRunning] = [0, 0];
  await forEachConcurrently<number>(items(), 7, async (item) => {
    running += 1;
    maxRunning = Math.max(maxRunning, running);
    // Items take different times.
    for (let turn = 0; turn <= item % 3; turn += 1) await setImmediate();
    seen.push(item);
    running -= 1;
  });
  expect(seen.sort((a, b) => a - b)).toEqual([...Array(100).keys()]);
  expect(maxRunning).toBe(7);
});

test("after a failure no item is started, and the failure is thrown once all running calls have ended", async () => {
  let [started, ended, isClosed] = [0, 0, false];
  async function* items(): AsyncGenerator<number> {
    try {
      yield* numbers(100);
    } finally {
      isClosed = true;
    }
  }
  const outcome = await forEachConcurrently(items(), 4, async (item) => {
    started += 1;
    for (let turn = 0; turn < (item === 1 ? 1 : 20); turn += 1) await setImmediate();
    ended += 1;
    if (item === 1) throw new Error("failed");
  }).catch((error: unknown) => error);
  expect(outcome).toEqual(new Error("failed"));
  expect([started, ended, isClosed]).toEqual([4, 4, true]);
});

test("an error of the iterator is thrown", async () => {
  async function* items(): AsyncGenerator<number> {
    yield 1;
    throw new Error("broken");
  }
  const outcome = await forEachConcurrently(items(), 4, async () => {}).catch((error) => error);
  expect(outcome).toEqual(new Error("broken"));
});
