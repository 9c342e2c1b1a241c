import { expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import { createTryBudget, firstReply } from "./first-reply.ts";

const never = new AbortController().signal;
const SOON_MS = 20;

/** A connection that hangs until it is aborted. */
const hang = (signal: AbortSignal): Promise<Response> =>
  new Promise((_, reject) => {
    const end = (): void => reject(new Error("aborted"));
    if (signal.aborted) end();
    signal.addEventListener("abort", end);
  });

test("a connection that hangs is aborted once another one replies", async () => {
  const signals: AbortSignal[] = [];
  const kinds: boolean[] = [];
  const { response, tries } = await firstReply(
    (signal, isAgain) => {
      kinds.push(isAgain);
      signals.push(signal);
      return kinds.length < 3 ? hang(signal) : Promise.resolve(new Response("third"));
    },
    never,
    createTryBudget(8),
    SOON_MS,
  );
  expect([await response.text(), tries]).toEqual(["third", 3]);
  expect(kinds).toEqual([false, true, true]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, false]);
});

test("a request that fails is not sent again", async () => {
  let sent = 0;
  const fails = (): Promise<Response> => {
    sent += 1;
    return Promise.reject(new Error("refused"));
  };
  await expect(firstReply(fails, never, createTryBudget(8), SOON_MS)).rejects.toThrow("refused");
  // Long enough for another try.
  await Bun.sleep(SOON_MS * 3);
  expect(sent).toBe(1);
});

test("the signal ends all tries", async () => {
  const stop = new AbortController();
  let sent = 0;
  const reply = firstReply(
    (signal) => {
      sent += 1;
      if (sent === 2) stop.abort();
      return hang(signal);
    },
    stop.signal,
    createTryBudget(8),
    SOON_MS,
  );
  await expect(reply).rejects.toThrow("aborted");
  // Long enough for another try.
  await Bun.sleep(SOON_MS * 3);
  expect(sent).toBe(2);
});

test("no more requests are sent again than the budget allows", async () => {
  const budget = createTryBudget(1);
  const stop = new AbortController();
  let sent = 0;
  const replies = [1, 2, 3].map(() =>
    firstReply(
      (signal) => {
        sent += 1;
        return hang(signal);
      },
      stop.signal,
      budget,
      SOON_MS,
    ).catch(() => {}),
  );
  // Long enough for more tries.
  await Bun.sleep(SOON_MS * 5);
  expect(sent).toBe(4);
  stop.abort();
  await Promise.all(replies);
  await setImmediate();
  expect(budget.take()).toBe(true);
});
