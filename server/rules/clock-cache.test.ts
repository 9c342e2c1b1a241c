import { expect, test } from "bun:test";
import fc from "fast-check";
import { createClockCache } from "./clock-cache.ts";

test("values that were used since their last turn stay", () => {
  const cache = createClockCache<string, number>(3);
  for (const [value, key] of ["a", "b", "c"].entries()) cache.set(key, value, 1);
  cache.get("a");
  cache.get("c");
  cache.set("d", 3, 1);
  expect(["a", "b", "c", "d"].map(cache.get)).toEqual([0, undefined, 2, 3]);
});

test("the oldest goes when all were used", () => {
  const cache = createClockCache<number, number>(200);
  for (let key = 0; key < 200; key += 1) cache.set(key, key, 1);
  for (let key = 0; key < 200; key += 1) cache.get(key);
  cache.set(200, 200, 1);
  expect(cache.get(200)).toBe(200);
  const missing = Array.from({ length: 200 }, (_, key) => key).filter(
    (key) => cache.get(key) === undefined,
  );
  expect(missing).toHaveLength(1);
});

test("a value that weighs more than the maximum is not cached, and replaces the old one", () => {
  const cache = createClockCache<string, string>(10);
  cache.set("a", "small", 10);
  expect(cache.get("a")).toBe("small");
  cache.set("a", "large", 11);
  expect(cache.get("a")).toBeUndefined();
  expect(cache.hasRoom(10)).toBe(true);
});

const step = fc.oneof(
  fc.record({ do: fc.constant("get" as const), key: fc.nat(12) }),
  fc.record({ do: fc.constant("delete" as const), key: fc.nat(12) }),
  fc.record({ do: fc.constant("set" as const), key: fc.nat(12), weight: fc.nat(15) }),
);

test("never exceeds its maximum, and never gives an old or deleted value", () => {
  fc.assert(
    fc.property(fc.nat(30), fc.array(step, { maxLength: 80 }), (maxWeight, steps) => {
      const cache = createClockCache<number, { readonly weight: number }>(maxWeight);
      const latest = new Map<number, { readonly weight: number }>();
      for (const each of steps) {
        if (each.do === "delete") {
          cache.delete(each.key);
          latest.delete(each.key);
        } else if (each.do === "set") {
          const value = { weight: each.weight };
          cache.set(each.key, value, each.weight);
          latest.set(each.key, value);
          expect(cache.get(each.key)).toBe(each.weight <= maxWeight ? value : undefined);
        } else {
          const found = cache.get(each.key);
          if (found !== undefined) expect(found).toBe(latest.get(each.key) ?? { weight: -1 });
        }
        const held = [...latest.keys()].flatMap((key) => cache.get(key) ?? []);
        const total = held.reduce((sum, { weight }) => sum + weight, 0);
        expect(total).toBeLessThanOrEqual(maxWeight);
        expect(cache.hasRoom(maxWeight - total)).toBe(true);
        expect(cache.hasRoom(maxWeight - total + 1)).toBe(false);
      }
    }),
  );
});
