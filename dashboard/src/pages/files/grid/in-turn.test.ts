import { expect, test } from "bun:test";
import { inTurn } from "./in-turn.ts";

test("a few at a time, all of them, those given up passed over", async () => {
  let running = 0;
  let most = 0;
  const done: number[] = [];
  const controllers = Array.from({ length: 12 }, () => new AbortController());
  const work = controllers.map(({ signal }, number) =>
    inTurn(async () => {
      running += 1;
      most = Math.max(most, running);
      await Bun.sleep(1);
      running -= 1;
      done.push(number);
    }, signal).catch(() => {}),
  );
  controllers[7]?.abort();
  await Promise.all(work);
  expect(most).toBe(3);
  expect(done.toSorted((one, other) => one - other)).toEqual([0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11]);
});
