import { expect, test } from "bun:test";
import { expectFault } from "../suite/bed.ts";
import { createTurns } from "./turns.ts";

test("are taken so many at a time, in the order of coming", async () => {
  const turns = createTurns(2, 60_000);
  const taken: number[] = [];
  const all = Promise.all(
    [0, 1, 2, 3, 4].map(async (each) => {
      await turns.take();
      taken.push(each);
    }),
  );
  await Bun.sleep(1);
  expect(taken).toEqual([0, 1]);
  turns.end();
  await Bun.sleep(1);
  expect(taken).toEqual([0, 1, 2]);
  turns.end();
  turns.end();
  await all;
  expect(taken).toEqual([0, 1, 2, 3, 4]);
});

test("are given up after a time, and go to those who still wait", async () => {
  const turns = createTurns(1, 20);
  await turns.take();
  await expectFault(turns.take(), "unavailable", "busy");
  const next = turns.take();
  turns.end();
  await next;
  await expectFault(turns.take(), "unavailable");
  turns.end();
  await turns.take();
});
