import { expect, test } from "bun:test";
import { HoldallError } from "../../../sdk/src/connection/error.ts";
import { runSteps, type StepsProgress } from "./run-steps.ts";

const busy = () => new HoldallError(429, "Too many requests", { retryAfter: 0 });
const lost = () => new HoldallError(0, "No server");

function run<Item>(
  items: readonly Item[],
  step: (item: Item) => Promise<void>,
  onProgress: (progress: StepsProgress, stop: () => void) => void = () => {},
) {
  const stopping = new AbortController();
  return runSteps(items, step, {
    sizeOf: () => 1,
    signal: stopping.signal,
    onProgress: (progress) => onProgress(progress, () => stopping.abort()),
  });
}

test("retries rate-limited steps silently", async () => {
  let tries = 0;
  const did: number[] = [];
  const result = await run([1, 2, 3], async (item) => {
    tries += 1;
    if (tries % 2 === 1) throw busy();
    did.push(item);
  });
  expect(did).toEqual([1, 2, 3]);
  expect(result).toEqual({ done: 3, failed: 0, failure: undefined });
});

test("reports that it is waiting, and can be stopped", async () => {
  const messages: (string | undefined)[] = [];
  const times: (number | undefined)[] = [];
  const before = Date.now();
  const result = await run(
    [1, 2, 3],
    async (item) => {
      if (item === 2) throw new HoldallError(429, "Too many requests", { retryAfter: 3_600 });
    },
    ({ waitingMessage, continuesAt }, stop) => {
      messages.push(waitingMessage);
      times.push(continuesAt);
      if (waitingMessage !== undefined) stop();
    },
  );
  expect(messages).toContain("Too many requests right now.");
  const [time = 0] = times.filter((each) => each !== undefined);
  expect(time).toBeGreaterThanOrEqual(before + 3_600_000);
  expect(result).toEqual({ done: 1, failed: 0, failure: undefined });
});

test("a step that runs when it is stopped ends, and counts with its failure", async () => {
  const taken = new HoldallError(409, "Taken");
  for (const failure of [undefined, taken]) {
    const stopping = new AbortController();
    const tried: number[] = [];
    const step = async (item: number) => {
      tried.push(item);
      if (item !== 2) return;
      stopping.abort();
      if (failure !== undefined) throw failure;
    };
    const { signal } = stopping;
    const result = await runSteps([1, 2, 3], step, { sizeOf: () => 1, signal, onProgress() {} });
    expect(tried).toEqual([1, 2]);
    const [done, failed] = failure === undefined ? [2, 0] : [1, 1];
    expect(result).toEqual({ done, failed, failure });
  }
});

test("a step that was refused or aborted when it is stopped does not count, and is not repeated", async () => {
  const ways: ((signal: AbortSignal) => void)[] = [
    () => {
      throw busy();
    },
    (signal) => signal.throwIfAborted(),
  ];
  for (const end of ways) {
    const stopping = new AbortController();
    let tries = 0;
    const step = async (item: number, signal: AbortSignal) => {
      tries += 1;
      if (item !== 2) return;
      stopping.abort();
      end(signal);
    };
    const { signal } = stopping;
    const result = await runSteps([1, 2, 3], step, { sizeOf: () => 1, signal, onProgress() {} });
    expect(result).toEqual({ done: 1, failed: 0, failure: undefined });
    expect(tries).toBe(2);
  }
});

test("fails if the server is unreachable from the start, and continues after other failures", async () => {
  const away = await run([1], () => Promise.reject(lost()));
  expect(away).toMatchObject({ done: 0, failed: 1, failure: { status: 0 } });
  const taken = new HoldallError(409, "Taken");
  const result = await run([1, 2, 3], async (item) => {
    if (item === 2) throw taken;
  });
  expect(result).toEqual({ done: 2, failed: 1, failure: taken });
});

test("counts what the items stand for", async () => {
  const counts: [number, number][] = [];
  await runSteps([["a", "b"], ["c"]], async () => {}, {
    sizeOf: (ids) => ids.length,
    signal: new AbortController().signal,
    onProgress: ({ done, total }) => counts.push([done, total]),
  });
  expect(counts).toEqual([
    [0, 3],
    [2, 3],
    [3, 3],
  ]);
});

test("runs several steps at once, each once", async () => {
  const did: number[] = [];
  let [running, most] = [0, 0];
  const result = await runSteps(
    [1, 2, 3, 4, 5],
    async (item) => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      did.push(item);
      running -= 1;
    },
    { sizeOf: () => 1, atOnce: 3, signal: new AbortController().signal, onProgress() {} },
  );
  expect(did.toSorted()).toEqual([1, 2, 3, 4, 5]);
  expect(most).toBe(3);
  expect(result).toEqual({ done: 5, failed: 0, failure: undefined });
});
