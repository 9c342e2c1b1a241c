import { expect, test } from "bun:test";
import fc from "fast-check";
import { createFrequencyCache, type FrequencyCache } from "./frequency-cache.ts";

const cacheOf = <V>(maxWeight: number) => createFrequencyCache<V, V>(maxWeight, hashOf);
const hashOf = (key: unknown): number => Bun.hash.xxHash32(String(key));

/** Reads a value as a caller does. Returns whether it was cached. */
function read<K>(cache: FrequencyCache<K, K>, key: K, weight = 1): boolean {
  if (cache.get(key) !== undefined) return true;
  if (cache.miss(key, weight).isAdmitted) cache.set(key, key, weight);
  return false;
}

const range = (length: number, from = 0) => Array.from({ length }, (_, index) => from + index);

test("values enter while there is room, at their first use", () => {
  const cache = cacheOf<string>(2);
  expect(["a", "b", "c"].map((key) => read(cache, key))).toEqual([false, false, false]);
  expect(["a", "b", "c"].map((key) => read(cache, key))).toEqual([true, true, false]);
});

test("knows values that were used before", () => {
  const cache = cacheOf<string>(1);
  expect(cache.miss("a", 1)).toEqual({ isRepeated: false, isAdmitted: true });
  expect(cache.miss("a", 1)).toEqual({ isRepeated: true, isAdmitted: true });
  expect(cache.miss("b", 1)).toEqual({ isRepeated: false, isAdmitted: true });
});

test("of values that are read in turns, as many as fit are found", () => {
  const cache = cacheOf<number>(100);
  for (const set of [101, 110, 1000]) {
    cache.clear();
    let found = 0;
    for (const _ of range(50)) for (const key of range(set)) if (read(cache, key)) found += 1;
    expect(found / (50 * set)).toBeGreaterThan(0.85 * (100 / set));
  }
});

test("one pass over many values evicts none that is used often", () => {
  const cache = cacheOf<number>(100);
  for (const _ of range(5)) for (const key of range(100)) read(cache, key);
  for (const key of range(5000, 100)) read(cache, key);
  expect(range(100).filter((key) => cache.get(key) === undefined)).toEqual([]);
});

test("what becomes popular replaces what was", () => {
  const cache = cacheOf<number>(100);
  for (const _ of range(100)) for (const key of range(100)) read(cache, key);
  for (const _ of range(40)) for (const key of range(100, 100)) read(cache, key);
  expect(range(100, 100).filter((key) => cache.get(key) === undefined).length).toBeLessThan(5);
});

test("a heavy value must be used more often than each of the light ones that it would evict", () => {
  const cache = cacheOf<number>(100);
  for (const _ of range(3)) for (const key of range(100)) read(cache, key);
  expect(range(4).map(() => cache.miss(1000, 50).isAdmitted)).not.toContain(true);
  expect(cache.miss(1000, 50).isAdmitted).toBe(true);
  cache.set(1000, 1000, 50);
  expect(cache.get(1000)).toBe(1000);
  expect(range(100).filter((key) => cache.get(key) !== undefined)).toHaveLength(50);
});

test("a value that weighs more than the maximum is not cached, and replaces the old one", () => {
  const cache = cacheOf<string>(10);
  cache.set("a", "small", 10);
  expect(cache.get("a")).toBe("small");
  cache.set("a", "large", 11);
  expect(cache.get("a")).toBeUndefined();
  expect(cache.miss("b", 10).isAdmitted).toBe(true);
});

const step = fc.oneof(
  fc.record({ do: fc.constantFrom("get", "delete", "miss"), key: fc.nat(12), weight: fc.nat(15) }),
  fc.record({ do: fc.constant("set"), key: fc.nat(12), weight: fc.nat(15) }),
  fc.record({ do: fc.constant("clear"), key: fc.nat(12), weight: fc.nat(15) }),
);

test("never exceeds its maximum, and never gives an old or deleted value", () => {
  fc.assert(
    fc.property(fc.nat(30), fc.array(step, { maxLength: 80 }), (maxWeight, steps) => {
      const cache = createFrequencyCache<number, { readonly weight: number }>(maxWeight, hashOf);
      const latest = new Map<number, { readonly weight: number }>();
      for (const { do: action, key, weight } of steps) {
        if (action === "clear") {
          cache.clear();
          latest.clear();
        } else if (action === "delete") {
          cache.delete(key);
          latest.delete(key);
        } else if (action === "set") {
          const value = { weight };
          cache.set(key, value, weight);
          latest.set(key, value);
          expect(cache.get(key)).toBe(weight <= maxWeight ? value : undefined);
        } else if (action === "miss") {
          if (weight > maxWeight) expect(cache.miss(key, weight).isAdmitted).toBe(false);
          else cache.miss(key, weight);
        } else {
          const found = cache.get(key);
          if (found !== undefined) expect(found).toBe(latest.get(key) ?? { weight: -1 });
        }
        const held = [...latest.keys()].flatMap((each) => cache.get(each) ?? []);
        const total = held.reduce((sum, value) => sum + value.weight, 0);
        expect(total).toBeLessThanOrEqual(maxWeight);
      }
    }),
  );
});
