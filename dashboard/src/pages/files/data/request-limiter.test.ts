import { expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import { createRequestLimiter } from "./request-limiter.ts";

const never = new AbortController().signal;

test("runs everything, at most `concurrency` at once", async () => {
  const limit = createRequestLimiter({ concurrency: 2, maxStarts: 100, windowMs: 1_000 });
  let running = 0;
  let max = 0;
  const results = await Promise.all(
    Array.from({ length: 9 }, (_, number) =>
      limit(async () => {
        running += 1;
        max = Math.max(max, running);
        await setImmediate();
        running -= 1;
        if (number === 4) throw new Error("four");
        return number;
      }, never).catch((error: Error) => error.message),
    ),
  );
  expect(results).toEqual([0, 1, 2, 3, "four", 5, 6, 7, 8]);
  expect(max).toBe(2);
});

test("delays what exceeds the limit of the window", async () => {
  const limit = createRequestLimiter({ concurrency: 5, maxStarts: 3, windowMs: 200 });
  const from = performance.now();
  const delays = await Promise.all(
    Array.from({ length: 4 }, () => limit(async () => performance.now() - from, never)),
  );
  expect(delays[3]).toBeGreaterThanOrEqual(200);
});

test("does not start aborted work, and continues with the rest", async () => {
  const limit = createRequestLimiter({ concurrency: 1, maxStarts: 100, windowMs: 1_000 });
  const first = Promise.withResolvers<void>();
  const running = limit(() => first.promise, never);
  const controller = new AbortController();
  let hasStarted = false;
  const dropped = limit(async () => {
    hasStarted = true;
  }, controller.signal);
  const last = limit(async () => "last", never);
  controller.abort(new Error("gone"));
  await expect(dropped).rejects.toThrow("gone");
  first.resolve();
  await running;
  expect(await last).toBe("last");
  expect(hasStarted).toBe(false);
});

test("skips work that is aborted while it waits", async () => {
  const limit = createRequestLimiter({ concurrency: 3 });
  let running = 0;
  let max = 0;
  const done: number[] = [];
  const controllers = Array.from({ length: 12 }, () => new AbortController());
  const work = controllers.map(({ signal }, number) =>
    limit(async () => {
      running += 1;
      max = Math.max(max, running);
      await setImmediate();
      running -= 1;
      done.push(number);
    }, signal).catch(() => {}),
  );
  controllers[7]?.abort();
  await Promise.all(work);
  expect(max).toBe(3);
  expect(done.toSorted((one, other) => one - other)).toEqual([0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11]);
});
