import { expect, test } from "bun:test";
import { joinCalls } from "./join-calls.ts";

/** Calls that end when the test says so, or when they are aborted. */
function heldCalls() {
  const calls: { readonly key: string; readonly end: PromiseWithResolvers<string> }[] = [];
  const call = joinCalls((key, signal) => {
    const end = Promise.withResolvers<string>();
    signal.addEventListener("abort", () => end.reject(signal.reason));
    calls.push({ key, end });
    return end.promise;
  });
  return { calls, call };
}

const { signal } = new AbortController();

test("shares a running call for the same key, and keeps no result", async () => {
  const { calls, call } = heldCalls();
  const results = [call("a", signal), call("b", signal), call("a", signal)];
  expect(calls.map(({ key }) => key)).toEqual(["a", "b"]);
  for (const { key, end } of calls) end.resolve(`${key} once`);
  expect(await Promise.all(results)).toEqual(["a once", "b once", "a once"]);
  const later = call("a", signal);
  expect(calls).toHaveLength(3);
  calls[2]?.end.resolve("a again");
  expect(await later).toBe("a again");
});

test("a failed call fails for all who share it", async () => {
  const { calls, call } = heldCalls();
  const results = Promise.allSettled([call("a", signal), call("a", signal)]);
  calls[0]?.end.reject(new Error("refused"));
  expect((await results).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(calls).toHaveLength(1);
});

test("a call that its starter aborts is started again, once for all others", async () => {
  const { calls, call } = heldCalls();
  const [starter, other] = [new AbortController(), new AbortController()];
  const aborted = Promise.allSettled([call("a", starter.signal), call("a", other.signal)]);
  const results = [call("a", signal), call("a", signal)];
  other.abort();
  starter.abort();
  expect((await aborted).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(calls).toHaveLength(2);
  calls[1]?.end.resolve("the second");
  expect(await Promise.all(results)).toEqual(["the second", "the second"]);
});

test("who aborts while sharing a call gets no result", async () => {
  const { calls, call } = heldCalls();
  const other = new AbortController();
  const result = call("a", signal);
  const aborted = Promise.allSettled([call("a", other.signal)]);
  other.abort();
  calls[0]?.end.resolve("done");
  expect(await result).toBe("done");
  expect((await aborted).map(({ status }) => status)).toEqual(["rejected"]);
});
