import { expect, test } from "bun:test";
import fc from "fast-check";
import { createCountMinSketch } from "./count-min-sketch.ts";

test("no count is too low, up to 255", () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { maxLength: 600 }), (hashes) => {
      const sketch = createCountMinSketch(64);
      const counts = new Map<number, number>();
      for (const hash of hashes) {
        counts.set(hash, (counts.get(hash) ?? 0) + 1);
        expect(sketch.add(hash)).toBeGreaterThanOrEqual(Math.min(counts.get(hash) ?? 0, 255));
      }
    }),
  );
});

test("counts are exact for most keys while there are few", () => {
  const width = 8192;
  const sketch = createCountMinSketch(width);
  const keys = Array.from({ length: width / 8 }, (_, index) => Bun.hash.xxHash32(`key ${index}`));
  for (let use = 1; use <= 3; use += 1) {
    const wrong = keys.filter((hash) => sketch.add(hash) !== use);
    expect(wrong.length / keys.length).toBeLessThan(0.05);
  }
});

test("counts of keys that share no counter are exact, however often they are halved", () => {
  const step = fc.oneof(
    {
      weight: 9,
      arbitrary: fc.record({ hash: fc.nat(255), uses: fc.integer({ min: 1, max: 300 }) }),
    },
    fc.constant("halve" as const),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      // In the first row, each of these hashes has a counter of its own.
      const sketch = createCountMinSketch(256);
      const counts = new Uint8Array(256);
      for (const each of steps) {
        if (each === "halve") {
          sketch.halve();
          for (const [hash, count] of counts.entries()) counts[hash] = count >> 1;
        } else {
          for (let use = 0; use < each.uses; use += 1) sketch.add(each.hash);
          counts[each.hash] = Math.min((counts[each.hash] ?? 0) + each.uses, 255);
        }
      }
      for (const [hash, count] of counts.entries()) expect(sketch.count(hash)).toBe(count);
    }),
  );
});

test("a count stays at 255, halves and is cleared", () => {
  const sketch = createCountMinSketch(64);
  for (let use = 0; use < 300; use += 1) sketch.add(7);
  expect(sketch.count(7)).toBe(255);
  sketch.halve();
  expect(sketch.count(7)).toBe(127);
  sketch.clear();
  expect(sketch.count(7)).toBe(0);
});
