import { expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { createSharedRun } from "./shared-run.ts";

test("every call gets a run that started after it, and runs are shared and never overlap", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ delay: fc.nat({ max: 6 }), fails: fc.boolean() }), { maxLength: 30 }),
      async (calls) => {
        let [started, active, maxActive] = [0, 0, 0];
        const outcomes: boolean[] = [];
        const shared = createSharedRun(async () => {
          const own = started++;
          maxActive = Math.max(maxActive, ++active);
          for (let turn = 0; turn < 5; turn++) await Promise.resolve();
          active--;
          const fails = calls[own]?.fails ?? false;
          outcomes[own] = !fails;
          if (fails) throw new Error(`run ${own}`);
        });
        const waiting: Promise<void>[] = [];
        for (const { delay } of calls) {
          for (let turn = 0; turn < delay; turn++) await Promise.resolve();
          const before = started;
          const finished = outcomes.length;
          const startedAfterCall = (): boolean => {
            const ended = outcomes.length - 1;
            return ended >= before && ended <= before + 1 && ended >= finished;
          };
          waiting.push(
            shared().then(
              () => expect([startedAfterCall(), outcomes.at(-1)]).toEqual([true, true]),
              () => expect([startedAfterCall(), outcomes.at(-1)]).toEqual([true, false]),
            ),
          );
        }
        await Promise.all(waiting);
        expect(maxActive).toBeLessThanOrEqual(1);
        expect(started).toBeLessThanOrEqual(calls.length);
      },
    ),
  );
});

test("100 concurrent calls share two runs", async () => {
  let runs = 0;
  const shared = createSharedRun(async () => {
    runs++;
    await setImmediate();
  });
  await Promise.all(Array.from({ length: 100 }, shared));
  expect(runs).toBe(2);
});
