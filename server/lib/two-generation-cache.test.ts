import { expect, test } from "bun:test";
import fc from "fast-check";
import { createTwoGenerationCache } from "./two-generation-cache.ts";

test("get returns the last value that was set, until delete or clear", () => {
  const cache = createTwoGenerationCache<string, number>(10);
  cache.set("a", 1, 1);
  cache.set("b", 2, 1);
  cache.set("a", 3, 1);
  expect(cache.get("a")).toBe(3);
  cache.delete("a");
  expect(cache.get("a")).toBeUndefined();
  expect(cache.get("b")).toBe(2);
  cache.clear();
  expect(cache.get("b")).toBeUndefined();
});

test("evicts unused values and keeps used ones", () => {
  const cache = createTwoGenerationCache<number, number>(20);
  for (let key = 0; key < 1000; key += 1) {
    cache.set(key, key, 1);
    expect(cache.get(0)).toBe(0);
  }
  expect(cache.get(1)).toBeUndefined();
  expect(cache.get(999)).toBe(999);
});

test("does not cache a value over half of the weight, and removes the value it replaces", () => {
  const cache = createTwoGenerationCache<string, string>(10);
  cache.set("a", "small", 1);
  cache.set("a", "large", 6);
  expect(cache.get("a")).toBeUndefined();
});

const use = fc.oneof(
  fc.record({ is: fc.constant("set" as const), key: fc.nat(20), weight: fc.nat(12) }),
  fc.record({ is: fc.constantFrom("get" as const, "delete" as const), key: fc.nat(20) }),
);

test("never exceeds its weight and never returns a stale value", () => {
  fc.assert(
    fc.property(fc.array(use, { maxLength: 200 }), (uses) => {
      const cache = createTwoGenerationCache<number, { turn: number; weight: number }>(16);
      const last = new Map<number, number>();
      for (const [turn, each] of uses.entries()) {
        if (each.is === "set") {
          cache.set(each.key, { turn, weight: each.weight }, each.weight);
          last.set(each.key, turn);
        } else if (each.is === "delete") {
          cache.delete(each.key);
          last.delete(each.key);
        } else {
          const found = cache.get(each.key);
          if (found !== undefined) expect(found.turn).toBe(last.get(each.key) ?? -1);
        }
      }
      const all = Array.from({ length: 21 }, (_, key) => cache.get(key)?.weight ?? 0);
      expect(all.reduce((sum, weight) => sum + weight, 0)).toBeLessThanOrEqual(16);
    }),
  );
});
