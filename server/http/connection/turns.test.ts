import { expect, test } from "bun:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createTimeSlices } from "../../lib/time-slices.ts";
import { createTurns, type TurnsOptions } from "./turns.ts";

const request = () => ({ signal: new AbortController().signal });

/** Enough turns of the event loop for all requests that may start. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) await nextTurn();
}

/** Runs work that ends when it is told to. */
function fixture(options: Partial<TurnsOptions> = {}) {
  const turns = createTurns({ slices: createTimeSlices(), ...options });
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const run = (client: string, name: string, asked = request()): Promise<void> =>
    turns.run(client, asked, () => {
      started.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  /** Ends the work of all requests, until they are done. */
  async function finish(all: readonly Promise<unknown>[]): Promise<void> {
    let isDone = false;
    const done = Promise.all(all).finally(() => {
      isDone = true;
    });
    for (; !isDone; await nextTurn()) ends.shift()?.();
    await done;
  }
  return { run, started, ends, finish };
}

test("a bounded number of a client's requests runs at once, the others wait in their order", async () => {
  const { run, started, ends, finish } = fixture({ maxRunning: 2 });
  const all = ["a", "b", "c", "d"].map((name) => run("one", name));
  await settle();
  expect(started).toEqual(["a", "b"]);
  ends.shift()?.();
  await settle();
  expect(started).toEqual(["a", "b", "c"]);
  await finish(all);
  expect(started).toEqual(["a", "b", "c", "d"]);
});

test("a client does not wait for another one's requests", async () => {
  const { run, started, finish } = fixture({ maxRunning: 2 });
  const all = Array.from({ length: 20 }, (_, index) => run("one", `one ${index}`));
  all.push(run("other", "other"));
  await settle();
  expect(started).toEqual(["one 0", "one 1", "other"]);
  await finish(all);
});

test("refuses a request at once when too many of its client wait", async () => {
  const { run, finish } = fixture({ maxRunning: 1, maxWaiting: 2 });
  const all = ["a", "b", "c"].map((name) => run("one", name));
  const refused = run("one", "d");
  await expect(refused).rejects.toMatchObject({ kind: "rate_limited", retryAfter: 1 });
  all.push(run("other", "other"));
  await settle();
  await finish(all);
});

test("the more clients wait, the fewer requests of each", async () => {
  const { run, finish } = fixture({ maxRunning: 1, maxWaiting: 50, maxWaitingInAll: 40 });
  const all = ["a", "b", "c", "d"].map((client) => run(client, client));
  const waiting = Array.from({ length: 11 }, (_, index) => run("a", `a ${index}`));
  const outcome = await waiting.at(-1)?.catch((error: unknown) => error);
  expect(outcome).toMatchObject({ kind: "rate_limited" });
  await finish([...all, ...waiting.slice(0, 10)]);
});

test("work that fails ends its turn", async () => {
  const turns = createTurns({ slices: createTimeSlices(), maxRunning: 1 });
  const failed = turns.run("one", request(), () => {
    throw new Error("failed");
  });
  const next = turns.run("one", request(), () => "done");
  await expect(failed).rejects.toThrow("failed");
  expect(await next).toBe("done");
});

test("a request whose client left while it waited is not run", async () => {
  const { run, started, finish } = fixture({ maxRunning: 1 });
  const first = run("one", "first");
  const leaving = new AbortController();
  const left = run("one", "left", { signal: leaving.signal });
  const last = run("one", "last");
  leaving.abort();
  const outcome = left.catch((error: unknown) => error);
  await finish([first, outcome, last]);
  expect(await outcome).toMatchObject({ message: expect.stringContaining("connection closed") });
  expect(started).toEqual(["first", "last"]);
});

/** The turns of the event loop in which 40 requests of as many clients start, each of which takes a slice. */
async function turnsOfStarts(kind: "run" | "runShort"): Promise<number[]> {
  let turn = 0;
  let isRunning = true;
  const counter = (async () => {
    while (isRunning) {
      await nextTurn();
      turn += 1;
    }
  })();
  let time = 0;
  const turns = createTurns({ slices: createTimeSlices({ sliceMs: 1, now: () => time }) });
  const startedIn: number[] = [];
  await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      turns[kind](`client ${index}`, request(), () => {
        startedIn.push(turn);
        time += 1;
      }),
    ),
  );
  isRunning = false;
  await counter;
  return startedIn;
}

test("requests that run share the time slices", async () => {
  expect(new Set(await turnsOfStarts("run")).size).toBe(40);
});

test("requests with short work start together, but no more than one client may run", async () => {
  const startedIn = await turnsOfStarts("runShort");
  expect(startedIn.filter((turn) => turn === startedIn[0])).toHaveLength(8);
  expect(new Set(startedIn).size).toBeLessThanOrEqual(33);
});
