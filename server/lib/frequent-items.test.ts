import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createFrequentItems, type FrequentItems } from "./frequent-items.ts";

const countsIn = (counter: FrequentItems) =>
  new Map(counter.take().map(([id, { requests, bytes }]) => [id, { requests, bytes }]));

const request = (bytes: number) => ({ requests: 1, bytes, weight: 1 });

test("counts exactly while there are few items", () => {
  const counter = createFrequentItems(2);
  counter.add("a", request(10));
  counter.add("b", request(0));
  counter.add("a", request(5));
  expect(countsIn(counter)).toEqual(
    new Map([
      ["a", { requests: 2, bytes: 15 }],
      ["b", { requests: 1, bytes: 0 }],
    ]),
  );
  expect(counter.take()).toEqual([]);
});

test("keeps as many items as it can, also if all have the same count", () => {
  const counter = createFrequentItems(3);
  for (let id = 0; id < 100; id += 1) counter.add(String(id), request(1));
  expect(counter.take()).toHaveLength(3);
});

describe("with more items than it keeps", () => {
  const id = fc.nat({ max: 30 }).map(String);
  /** Few items are frequent, as files are. */
  const requests = fc.array(fc.oneof(id, fc.constantFrom("a", "b", "c")), { maxLength: 400 });
  const max = fc.integer({ min: 1, max: 8 });

  function expectBounds(
    counted: ReadonlyMap<string, { requests: number; bytes: number }>,
    all: readonly string[],
    kept: number,
  ): void {
    expect(counted.size).toBeLessThanOrEqual(kept);
    const exact = new Map<string, number>();
    for (const each of all) exact.set(each, (exact.get(each) ?? 0) + 1);
    for (const [each, count] of exact) {
      const found = counted.get(each) ?? { requests: 0, bytes: 0 };
      expect(found.requests).toBeLessThanOrEqual(count);
      expect(count - found.requests).toBeLessThanOrEqual(all.length / (kept + 1));
      // Each request has 10 bytes.
      expect(found.bytes).toBe(10 * found.requests);
    }
    for (const each of counted.keys()) expect(exact.has(each)).toBe(true);
  }

  function count(counter: FrequentItems, all: readonly string[]): void {
    for (const each of all) counter.add(each, request(10));
  }

  test("a count is never too high, and misses at most n / (max + 1)", () => {
    fc.assert(
      fc.property(requests, max, (all, kept) => {
        const counter = createFrequentItems(kept);
        count(counter, all);
        expectBounds(countsIn(counter), all, kept);
      }),
    );
  });

  test("the same is true of the sum of several counters, in any number of steps", () => {
    fc.assert(
      fc.property(fc.array(requests, { maxLength: 6 }), max, (parts, kept) => {
        const sum = createFrequentItems(kept);
        const counter = createFrequentItems(kept);
        for (const part of parts) {
          count(counter, part);
          for (const [each, counts] of counter.take()) sum.add(each, counts);
        }
        expectBounds(countsIn(sum), parts.flat(), kept);
      }),
    );
  });
});
