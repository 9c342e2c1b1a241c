import { expect, test } from "bun:test";
import type { MeasuredFolder } from "../../../../../sdk/src/holdall.ts";
import { createSizeLoader } from "./create-size-loader.ts";

const never = new AbortController().signal;
const sizeOf = (id: string): MeasuredFolder => ({ id, files: id.length, folders: 0, bytes: 0 });

/** A loader, and the ids of each of its requests, which wait until `answer` resolves. */
function start({ maxIds = 100, answer = Promise.resolve() } = {}) {
  const requests: (readonly string[])[] = [];
  const signals: AbortSignal[] = [];
  const load = createSizeLoader({
    async *measure(ids, signal) {
      requests.push(ids);
      signals.push(signal);
      await answer;
      yield ids.filter((id) => id !== "missing").map(sizeOf);
    },
    pauseMs: 1,
    maxIds,
  });
  return { load, requests, signals };
}

test("loads sizes that are requested together in one request", async () => {
  const { load, requests } = start();
  const ids = ["a", "bb", "ccc"];
  expect(await Promise.all(ids.map((id) => load(id, never)))).toEqual(ids.map(sizeOf));
  expect(requests).toEqual([ids]);
  expect(await load("a", never)).toEqual(sizeOf("a"));
  expect(requests).toEqual([ids, ["a"]]);
});

test("asks for at most `maxIds` at once, one request after the other", async () => {
  const { load, requests } = start({ maxIds: 2 });
  const ids = ["a", "b", "c", "d", "e"];
  await Promise.all(ids.map((id) => load(id, never)));
  expect(requests).toEqual([["a", "b"], ["c", "d"], ["e"]]);
});

test("does not ask for what has gone before, and merges what comes during a request", async () => {
  const answer = Promise.withResolvers<void>();
  const { load, requests } = start({ maxIds: 2, answer: answer.promise });
  const gone = new AbortController();
  const left = load("gone", gone.signal);
  const first = [load("a", never), load("b", never)];
  gone.abort(new Error("It went."));
  await expect(left).rejects.toThrow("It went.");
  const later = new AbortController();
  const passing = load("passing", later.signal);
  const rest = [load("c", never), load("d", never)];
  later.abort(new Error("It passed."));
  await expect(passing).rejects.toThrow("It passed.");
  answer.resolve();
  expect(await Promise.all([...first, ...rest])).toEqual(["a", "b", "c", "d"].map(sizeOf));
  expect(requests).toEqual([
    ["a", "b"],
    ["c", "d"],
  ]);
});

test("aborts a request once none of its folders is wanted", async () => {
  const answer = Promise.withResolvers<void>();
  const { load, requests, signals } = start({ answer: answer.promise });
  const [one, other] = [new AbortController(), new AbortController()];
  const loads = Promise.allSettled([load("a", one.signal), load("b", other.signal)]);
  while (requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  one.abort();
  expect(signals[0]?.aborted).toBe(false);
  other.abort();
  expect(signals[0]?.aborted).toBe(true);
  answer.resolve();
  expect((await loads).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});

test("resolves each size as soon as it is known, also if a later one fails", async () => {
  const answer = Promise.withResolvers<void>();
  const load = createSizeLoader({
    async *measure(ids) {
      yield ids.slice(0, 1).map(sizeOf);
      await answer.promise;
      throw new Error("No luck.");
    },
    pauseMs: 1,
    maxIds: 100,
  });
  const [first, second] = [load("a", never), load("b", never)];
  expect(await first).toEqual(sizeOf("a"));
  answer.resolve();
  await expect(second).rejects.toThrow("No luck.");
});

test("aborts once those that are not known yet are not wanted", async () => {
  const aborted = Promise.withResolvers<void>();
  const load = createSizeLoader({
    async *measure(ids, signal) {
      signal.addEventListener("abort", () => aborted.resolve());
      yield ids.slice(0, 1).map(sizeOf);
      await aborted.promise;
    },
    pauseMs: 1,
    maxIds: 100,
  });
  const leaving = new AbortController();
  const [first, second] = [load("a", never), load("b", leaving.signal)];
  expect(await first).toEqual(sizeOf("a"));
  leaving.abort(new Error("It went."));
  await expect(second).rejects.toThrow("It went.");
  await aborted.promise;
});

test("rejects missing folders and failed requests, and goes on", async () => {
  const { load } = start();
  const [found, missing] = await Promise.allSettled([load("a", never), load("missing", never)]);
  expect([found?.status, missing?.status]).toEqual(["fulfilled", "rejected"]);
  let fails = true;
  const failing = createSizeLoader({
    async *measure(ids) {
      if (fails) throw new Error("No luck.");
      yield ids.map(sizeOf);
    },
    pauseMs: 1,
    maxIds: 100,
  });
  await expect(failing("a", never)).rejects.toThrow("No luck.");
  fails = false;
  expect(await failing("a", never)).toEqual(sizeOf("a"));
});
