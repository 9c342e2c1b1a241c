import { expect, test } from "bun:test";
import { expectFault } from "../suite/catalog.fixture.ts";
import { createQueue } from "./queue.ts";

test("admits a limited number at a time, in the order of arrival", async () => {
  const queue = createQueue(2, 60_000);
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
  const queue = createQueue(1, 20);
  await queue.enter();
  await expectFault(queue.enter(), "unavailable", "busy");
  const next = queue.enter();
  queue.leave();
  await next;
  await expectFault(queue.enter(), "unavailable");
  queue.leave();
  await queue.enter();
});
