import { expect, test } from "bun:test";
import fc from "fast-check";
import { type Item, type ItemState, itemOf } from "./item.ts";
import * as steps from "./queue.ts";
import { summaryOf } from "./summary.ts";

const content = new Blob(["12345"]);
const make = (count: number): Item[] =>
  Array.from({ length: count }, (_, at) => itemOf(at + 1, { folder: "f", name: `${at}`, content }));
const ids = (...numbers: number[]) => new Set(numbers);
const states = (queue: steps.Queue): ItemState[] => queue.map(({ state }) => state);

test("goes from waiting to sending to done", () => {
  let queue: steps.Queue = make(2);
  queue = steps.start(queue, ids(1));
  queue = steps.progress(queue, new Map([[1, { sent: 3, speed: 10 }]]));
  expect(queue[0]).toMatchObject({ state: "sending", sent: 3, speed: 10 });
  expect(summaryOf(queue)).toMatchObject({ size: 10, sent: 3, isRunning: true, wanted: 2 });
  queue = steps.finish(queue, ids(1), { taken: ids() });
  expect(states(queue)).toEqual(["done", "waiting"]);
  expect(queue[0]).toMatchObject({ sent: 5 });
});

test("ignores late progress of a cancelled file", () => {
  const queue = steps.cancel(steps.start(make(1), ids(1)), ids(1));
  expect(steps.progress(queue, new Map([[1, { sent: 4, speed: 1 }]]))).toBe(queue);
  expect(states(steps.finish(queue, ids(1), { taken: ids() }))).toEqual(["cancelled"]);
  expect(states(steps.putBack(queue, ids(1)))).toEqual(["cancelled"]);
});

test("a conflict waits for a decision, for one item or for all", () => {
  const sent = steps.start(make(4), ids(1, 2, 3, 4));
  const taken = steps.finish(sent, ids(1, 2, 3, 4), { taken: ids(2, 3, 4) });
  expect(states(taken)).toEqual(["done", "taken", "taken", "taken"]);
  const first = steps.decide(taken, ids(2), "skip");
  expect(states(first)).toEqual(["done", "skipped", "taken", "taken"]);
  const all = steps.decide(first, "all", "replace");
  expect(states(all)).toEqual(["done", "skipped", "waiting", "waiting"]);
  expect(all.map(({ decision }) => decision)).toEqual(["ask", "ask", "replace", "replace"]);
});

test("a replacement is known until it is undone", () => {
  const sent = steps.start(make(2), ids(1, 2));
  const replacedAt = new Map([[1, "2026-01-31 09:30:00"]]);
  const queue = steps.finish(sent, ids(1, 2), { taken: ids(), replacedAt });
  expect(queue.map((item) => item.replacedAt)).toEqual(["2026-01-31 09:30:00", undefined]);
  expect(steps.undone(queue, ids(1)).map((item) => item.replacedAt)).toEqual([
    undefined,
    undefined,
  ]);
});

test("cancelling all keeps stored files, and every other item can be retried", () => {
  const queue = steps.finish(steps.start(make(3), ids(1)), ids(1), { taken: ids() });
  const none = steps.cancel(queue, "all");
  expect(states(none)).toEqual(["done", "cancelled", "cancelled"]);
  expect(states(steps.retry(none, ids(1, 2)))).toEqual(["done", "waiting", "cancelled"]);
});

test("a failed item has a reason, which a retry clears", () => {
  const failed = steps.fail(steps.start(make(2), ids(1)), ids(1), "No room.");
  expect(failed[0]).toMatchObject({ state: "failed", message: "No room." });
  expect(steps.retry(failed, "failed")[0]).toMatchObject({ state: "waiting", message: undefined });
});

test("no sequence of steps loses, duplicates or miscounts items", () => {
  const someIds = fc.uniqueArray(fc.integer({ min: 1, max: 6 })).map((list) => new Set(list));
  const step = fc.oneof(
    someIds.map((set) => (queue: steps.Queue) => steps.start(queue, set)),
    fc.tuple(someIds, someIds).map(
      ([all, taken]) =>
        (queue: steps.Queue) =>
          steps.finish(queue, all, { taken }),
    ),
    someIds.map((set) => (queue: steps.Queue) => steps.fail(queue, set, "no")),
    someIds.map((set) => (queue: steps.Queue) => steps.putBack(queue, set)),
    someIds.map((set) => (queue: steps.Queue) => steps.cancel(queue, set)),
    someIds.map((set) => (queue: steps.Queue) => steps.retry(queue, set)),
    fc.tuple(someIds, fc.constantFrom("skip", "replace", "keepBoth")).map(
      ([set, decision]) =>
        (queue: steps.Queue) =>
          steps.decide(queue, set, decision),
    ),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (taken) => {
      const queue = taken.reduce<steps.Queue>((now, next) => next(now), make(6));
      expect(queue.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6]);
      const { count, sent, size } = summaryOf(queue);
      expect(Object.values(count).reduce((sum, each) => sum + each)).toBe(6);
      expect(sent).toBeLessThanOrEqual(size);
    }),
  );
});

test("a paused or interrupted upload keeps the bytes that the server has", () => {
  const large = make(2).map((item) => (item.id === 1 ? { ...item, url: "u" } : item));
  const sending = steps.progress(
    steps.start(large, ids(1, 2)),
    new Map([
      [1, { sent: 3, speed: 1 }],
      [2, { sent: 4, speed: 1 }],
    ]),
  );
  const paused = steps.pause(sending, "all");
  expect(paused).toMatchObject([
    { state: "paused", sent: 3, speed: undefined, mayBeStored: true },
    { state: "paused", sent: 0, speed: undefined, mayBeStored: true },
  ]);
  const resumed = steps.start(steps.resume(paused, "all"), ids(1, 2));
  expect(resumed.map(({ state, sent }) => [state, sent])).toEqual([
    ["sending", 3],
    ["sending", 0],
  ]);
  expect(steps.putBack(resumed, ids(1))[0]).toMatchObject({ state: "waiting", sent: 3 });
  expect(steps.cancel(paused, "all")[0]).toMatchObject({ sent: 0, url: undefined });
});
