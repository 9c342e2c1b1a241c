import { expect, test } from "bun:test";
import fc from "fast-check";
import { createSharedRun } from "./shared-run.ts";

test("every call gets a run that started after it, one at a time, shared where possible", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ delay: fc.nat({ max: 6 }), fails: fc.boolean() }), { maxLength: 30 }),
      async (calls) => {
        let [started, active, most] = [0, 0, 0];
        const outcomes: boolean[] = [];
        const shared = createSharedRun(async () => {
          const own = started++;
          most = Math.max(most, ++active);
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
          const whole = (): boolean => {
            const ended = outcomes.length - 1;
            return ended >= before && ended <= before + 1 && ended >= finished;
          };
          waiting.push(
            shared().then(
              () => expect([whole(), outcomes.at(-1)]).toEqual([true, true]),
              () => expect([whole(), outcomes.at(-1)]).toEqual([true, false]),
            ),
          );
        }
        await Promise.all(waiting);
        expect(most).toBeLessThanOrEqual(1);
        expect(started).toBeLessThanOrEqual(calls.length);
      },
    ),
  );
});

test("many at once need two runs", async () => {
  let runs = 0;
  const shared = createSharedRun(async () => {
    runs++;
    await Bun.sleep(1);
  });
  await Promise.all(Array.from({ length: 100 }, shared));
  expect(runs).toBe(2);
});
