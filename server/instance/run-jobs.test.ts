import { expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import type { JobState } from "../health/health.ts";
import { createLog } from "../log.ts";
import { type BackgroundJob, createJobRunner } from "./run-jobs.ts";

function openRunner(jobs: readonly BackgroundJob[]) {
  let states: readonly JobState[] = [];
  const { run } = createJobRunner({
    jobs,
    log: createLog("silent"),
    isStopped: () => false,
    onStates(noted) {
      states = noted;
    },
  });
  return { run, state: (name: string) => states.find((state) => state.name === name) };
}

const failing: BackgroundJob = {
  name: "failing",
  run: () => Promise.reject(new Error("No space left\n    at a line of the stack")),
};

test("a job that always fails does not stop the others, and its failures are counted", async () => {
  let runs = 0;
  const counting: BackgroundJob = {
    name: "counting",
    async run() {
      runs += 1;
    },
  };
  const { run, state } = openRunner([failing, counting]);
  for (let round = 0; round < 3; round += 1) await run();
  expect(runs).toBe(3);
  expect(state("failing")).toEqual({
    name: "failing",
    succeededAt: null,
    lastError: "No space left",
    failures: 3,
  });
  expect(state("counting")).toEqual({
    name: "counting",
    succeededAt: expect.any(Number),
    lastError: null,
    failures: 0,
  });
});

test("failures of the same cause are logged once a minute, other causes beside them", async () => {
  const logged: string[] = [];
  const down = (name: string): BackgroundJob => ({
    name,
    run: () => Promise.reject(new Error("The database cannot be reached.")),
  });
  let states: readonly JobState[] = [];
  const { run } = createJobRunner({
    jobs: [down("links"), down("trash"), down("feed"), failing],
    log: { error: ({ job }) => void logged.push(job) },
    isStopped: () => false,
    onStates(noted) {
      states = noted;
    },
  });
  for (let round = 0; round < 3; round += 1) await run();
  expect(logged).toEqual(["links", "failing"]);
  expect(states.map(({ failures }) => failures)).toEqual([3, 3, 3, 3]);
});

test("a job that throws before it returns a promise is a failure like others", async () => {
  const { run, state } = openRunner([
    {
      name: "throwing",
      run() {
        throw new Error("Broken");
      },
    },
  ]);
  await run();
  expect(state("throwing")).toMatchObject({ lastError: "Broken", failures: 1 });
});

test("a job that hangs delays no other and is not started twice", async () => {
  const released = Promise.withResolvers<void>();
  const starts = { hanging: 0, quick: 0 };
  const twice = Promise.withResolvers<void>();
  const { run, state } = openRunner([
    {
      name: "hanging",
      run() {
        starts.hanging += 1;
        return released.promise;
      },
    },
    {
      name: "quick",
      async run() {
        starts.quick += 1;
        if (starts.quick === 2) twice.resolve();
      },
    },
  ]);
  const first = run();
  // The second round starts once the quick job has ended the first.
  while (state("quick") === undefined) await Promise.resolve();
  const second = run();
  await twice.promise;
  expect(starts).toEqual({ hanging: 1, quick: 2 });
  released.resolve();
  await Promise.all([first, second]);
  expect(state("hanging")).toMatchObject({ succeededAt: expect.any(Number), failures: 0 });
});

test("a job that succeeds again no longer fails, and its last error stays known", async () => {
  let isBroken = true;
  const { run, state } = openRunner([
    {
      name: "mended",
      async run() {
        if (isBroken) throw new Error("Broken");
      },
    },
  ]);
  await run();
  isBroken = false;
  await run();
  expect(state("mended")).toEqual({
    name: "mended",
    succeededAt: expect.any(Number),
    lastError: "Broken",
    failures: 0,
  });
});

test("the last jobs run after the others", async () => {
  const order: string[] = [];
  const { run } = openRunner([
    { name: "removing", isLast: true, run: async () => void order.push("removing") },
    {
      name: "expiring",
      async run() {
        await setImmediate();
        order.push("expiring");
      },
    },
  ]);
  await run();
  expect(order).toEqual(["expiring", "removing"]);
});
