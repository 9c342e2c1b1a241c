import { expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { eventually } from "../../test/expectations.ts";
import { createGather } from "./gather.ts";

/** Work of which each call ends when the test ends it. */
function createManualWork() {
  const calls: { readonly items: readonly number[]; readonly end: (failure?: Error) => void }[] =
    [];
  const work = (items: readonly number[]): Promise<string[]> => {
    const { promise, resolve, reject } = Promise.withResolvers<string[]>();
    const end = (failure?: Error): void =>
      failure === undefined ? resolve(items.map((item) => `result ${item}`)) : reject(failure);
    calls.push({ items, end });
    return promise;
  };
  return { work, calls, itemsOf: () => calls.map(({ items }) => items) };
}

test("the first item does not wait, and later ones share the next call", async () => {
  const { work, calls, itemsOf } = createManualWork();
  const gather = createGather({ concurrency: 1, maxWaitMs: 0, maxItems: 3, work });
  const results = [1, 2, 3, 4, 5].map(gather);
  expect(itemsOf()).toEqual([[1]]);
  calls[0]?.end();
  expect(await results[0]).toBe("result 1");
  await setImmediate();
  expect(itemsOf()).toEqual([[1], [2, 3, 4]]);
  calls[1]?.end();
  expect(await results[3]).toBe("result 4");
  await setImmediate();
  expect(itemsOf()).toEqual([[1], [2, 3, 4], [5]]);
  calls[2]?.end();
  expect(await results[4]).toBe("result 5");
  await setImmediate();
  void gather(6);
  expect(itemsOf().at(-1)).toEqual([6]);
});

test("a slow call keeps the next ones only for a while", async () => {
  const { work, calls, itemsOf } = createManualWork();
  const gather = createGather({ concurrency: 2, maxWaitMs: 5, maxItems: 10, work });
  const results = [1, 2, 3].map(gather);
  expect(itemsOf()).toEqual([[1]]);
  await eventually("the next call", () => calls.length === 2);
  expect(itemsOf()).toEqual([[1], [2, 3]]);
  results.push(gather(4));
  // Longer than an item waits for a call.
  await Bun.sleep(20);
  expect(itemsOf()).toEqual([[1], [2, 3]]);
  calls[1]?.end();
  expect(await results[2]).toBe("result 3");
  await setImmediate();
  expect(itemsOf()).toEqual([[1], [2, 3], [4]]);
  for (const { end } of calls) end();
  expect(await Promise.all(results)).toEqual(["result 1", "result 2", "result 3", "result 4"]);
});

test("a failure concerns only the items of its call", async () => {
  const { work, calls } = createManualWork();
  const gather = createGather({ concurrency: 2, maxWaitMs: 60_000, maxItems: 10, work });
  const results = [1, 2, 3, 4].map(gather);
  const outcomes = Promise.allSettled(results);
  calls[0]?.end(new Error("failed"));
  await setImmediate();
  calls[1]?.end();
  expect((await outcomes).map(({ status }) => status)).toEqual([
    "rejected",
    "fulfilled",
    "fulfilled",
    "fulfilled",
  ]);
});

test("each item gets its own result, within the limits", async () => {
  const limits = {
    concurrency: fc.integer({ min: 1, max: 4 }),
    maxItems: fc.integer({ min: 1, max: 5 }),
  };
  await fc.assert(
    fc.asyncProperty(
      fc.record(limits),
      fc.array(fc.array(fc.integer(), { maxLength: 12 }), { maxLength: 8 }),
      async ({ concurrency, maxItems }, bursts) => {
        let [running, most, largest] = [0, 0, 0];
        const gather = createGather({
          concurrency,
          maxWaitMs: 0,
          maxItems,
          async work(items: readonly number[]) {
            running += 1;
            most = Math.max(most, running);
            largest = Math.max(largest, items.length);
            for (let turns = items.length; turns > 0; turns -= 1) await undefined;
            running -= 1;
            return items.map((item) => item * 2);
          },
        });
        const results: Promise<number>[] = [];
        for (const burst of bursts) {
          results.push(...burst.map(gather));
          await undefined;
        }
        expect(await Promise.all(results)).toEqual(bursts.flat().map((item) => item * 2));
        expect(most).toBeLessThanOrEqual(concurrency);
        expect(largest).toBeLessThanOrEqual(maxItems);
      },
    ),
  );
});
