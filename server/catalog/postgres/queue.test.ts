import { expect, test } from "bun:test";
import { expectFault } from "../suite/catalog.fixture.ts";
import { createQueue } from "./queue.ts";

test("admits a limited number at a time, in the order of arrival", async () => {
  const queue = createQueue({ limit: 2, timeoutMs: 60_000, overloadedTimeoutMs: 60_000 });
  const admitted: number[] = [];
  const all = Promise.all(
    [0, 1, 2, 3, 4].map(async (each) => {
      await queue.enter();
      admitted.push(each);
    }),
  );
  await Bun.sleep(1);
  expect(admitted).toEqual([0, 1]);
  queue.leave();
  await Bun.sleep(1);
  expect(admitted).toEqual([0, 1, 2]);
  queue.leave();
  queue.leave();
  await all;
  expect(admitted).toEqual([0, 1, 2, 3, 4]);
});

test("a waiter that times out gives way to the next", async () => {
  const queue = createQueue({ limit: 1, timeoutMs: 20, overloadedTimeoutMs: 20 });
  await queue.enter();
  await expectFault(queue.enter(), "unavailable", "busy");
  const next = queue.enter();
  queue.leave();
  await next;
  await expectFault(queue.enter(), "unavailable");
  queue.leave();
  await queue.enter();
});

test("waits are shorter from the first that times out until nobody waits", async () => {
  const queue = createQueue({ limit: 1, timeoutMs: 300, overloadedTimeoutMs: 30 });
  const waitOf = async (): Promise<number> => {
    const from = performance.now();
    await expectFault(queue.enter(), "unavailable", "busy");
    return performance.now() - from;
  };
  await queue.enter();
  const first = waitOf();
  await Bun.sleep(200);
  const second = waitOf();
  expect(await first).toBeGreaterThanOrEqual(299);
  expect(await second).toBeLessThan(200);
  expect(await waitOf()).toBeGreaterThanOrEqual(299);
  const third = queue.enter();
  queue.leave();
  await third;
});
