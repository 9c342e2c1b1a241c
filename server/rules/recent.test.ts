import { expect, test } from "bun:test";
import fc from "fast-check";
import { createRecent } from "./recent.ts";

test("what was kept is found until it is deleted or everything is cleared", () => {
  const recent = createRecent<string, number>(10);
  recent.set("a", 1, 1);
  recent.set("b", 2, 1);
  recent.set("a", 3, 1);
  expect(recent.get("a")).toBe(3);
  recent.delete("a");
  expect(recent.get("a")).toBeUndefined();
  expect(recent.get("b")).toBe(2);
  recent.clear();
  expect(recent.get("b")).toBeUndefined();
});

test("what is used stays, what is not goes", () => {
  const recent = createRecent<number, number>(20);
  for (let key = 0; key < 1000; key += 1) {
    recent.set(key, key, 1);
    expect(recent.get(0)).toBe(0);
  }
  expect(recent.get(1)).toBeUndefined();
  expect(recent.get(999)).toBe(999);
});

test("what weighs more than half of all is not kept, and what it would have replaced is gone", () => {
  const recent = createRecent<string, string>(10);
  recent.set("a", "small", 1);
  recent.set("a", "large", 6);
  expect(recent.get("a")).toBeUndefined();
});

const use = fc.oneof(
  fc.record({ is: fc.constant("set" as const), key: fc.nat(20), weight: fc.nat(12) }),
  fc.record({ is: fc.constantFrom("get" as const, "delete" as const), key: fc.nat(20) }),
);

test("it is never above its weight, and never gives what was not kept last", () => {
  fc.assert(
    fc.property(fc.array(use, { maxLength: 200 }), (uses) => {
      const recent = createRecent<number, { turn: number; weight: number }>(16);
      const last = new Map<number, number>();
      for (const [turn, each] of uses.entries()) {
        if (each.is === "set") {
          recent.set(each.key, { turn, weight: each.weight }, each.weight);
          last.set(each.key, turn);
        } else if (each.is === "delete") {
          recent.delete(each.key);
          last.delete(each.key);
        } else {
          const found = recent.get(each.key);
          if (found !== undefined) expect(found.turn).toBe(last.get(each.key) ?? -1);
        }
      }
      const all = Array.from({ length: 21 }, (_, key) => recent.get(key)?.weight ?? 0);
      expect(all.reduce((sum, weight) => sum + weight, 0)).toBeLessThanOrEqual(16);
    }),
  );
});
