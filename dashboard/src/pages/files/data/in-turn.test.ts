import { expect, test } from "bun:test";
import { createInTurn } from "./in-turn.ts";

const never = new AbortController().signal;

test("runs everything, at most `concurrency` at once", async () => {
  const inTurn = createInTurn({ atOnce: 2, most: 100, windowMs: 1_000 });
  let running = 0;
  let most = 0;
  const results = await Promise.all(
    Array.from({ length: 9 }, (_, number) =>
      inTurn(async () => {
        running += 1;
        most = Math.max(most, running);
        await Bun.sleep(1);
        running -= 1;
        if (number === 4) throw new Error("four");
        return number;
      }, never).catch((error: Error) => error.message),
    ),
  );
  expect(results).toEqual([0, 1, 2, 3, "four", 5, 6, 7, 8]);
  expect(most).toBe(2);
});

test("delays what exceeds the limit of the window", async () => {
  const inTurn = createInTurn({ atOnce: 5, most: 3, windowMs: 200 });
  const from = performance.now();
  const begun = await Promise.all(
    Array.from({ length: 4 }, () => inTurn(async () => performance.now() - from, never)),
  );
  expect(begun[3]).toBeGreaterThanOrEqual(200);
});

test("does not start aborted work, and continues with the rest", async () => {
  const inTurn = createInTurn({ atOnce: 1, most: 100, windowMs: 1_000 });
  const first = Promise.withResolvers<void>();
  const running = inTurn(() => first.promise, never);
  const controller = new AbortController();
  let begun = false;
  const dropped = inTurn(async () => {
    begun = true;
  }, controller.signal);
  const last = inTurn(async () => "last", never);
  controller.abort(new Error("gone"));
  expect(dropped).rejects.toThrow("gone");
  first.resolve();
  await running;
  expect(await last).toBe("last");
  expect(begun).toBe(false);
});
