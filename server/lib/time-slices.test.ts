import { expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import { createTimeSlices } from "./time-slices.ts";

/** Tasks of 1 ms per step; the names of the tasks that ran in each turn of the event loop. */
async function run(sliceMs: number, steps: Readonly<Record<string, number>>): Promise<string[]> {
  let time = 0;
  let isRunning = true;
  const turns: string[] = [""];
  const slices = createTimeSlices({ sliceMs, now: () => time });
  const tasks = Object.entries(steps).map(async ([name, count]) => {
    for (let step = 0; step < count; step += 1) {
      await slices.next();
      turns.push((turns.pop() ?? "") + name);
      time += 1;
    }
  });
  const turnCounter = (async () => {
    while (isRunning) {
      await setImmediate();
      if (turns.at(-1) !== "") turns.push("");
    }
  })();
  await Promise.all(tasks);
  isRunning = false;
  await turnCounter;
  return turns.filter((turn) => turn !== "");
}

test("a task runs for one slice per turn of the event loop", async () => {
  expect(await run(3, { a: 8 })).toEqual(["aaa", "aaa", "aa"]);
});

test("all tasks together run for one slice per turn, in the order in which they waited", async () => {
  const turns = await run(2, { a: 4, b: 4, c: 2 });
  for (const turn of turns) expect(turn.length).toBeLessThanOrEqual(2);
  expect(turns.join("")).toBe("aabbccaabb");
});

test("a task goes on at once while the slice lasts", async () => {
  const slices = createTimeSlices({ sliceMs: 1, now: () => 0 });
  await slices.next();
  expect(slices.next()).toBeUndefined();
});
