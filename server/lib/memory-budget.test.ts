import { expect, test } from "bun:test";
import fc from "fast-check";
import { createMemoryBudget } from "./memory-budget.ts";

test("a reservation that does not fit keeps its size, until another one is released", () => {
  const budget = createMemoryBudget(10);
  const [first, second] = [budget.open(), budget.open()];
  expect(first.resize(6)).toBe(true);
  expect(second.resize(3)).toBe(true);
  expect(second.resize(5)).toBe(false);
  expect(budget.reserved()).toBe(9);
  first.release();
  first.release();
  expect(budget.reserved()).toBe(3);
  expect(second.resize(10)).toBe(true);
});

test("reservations never exceed the budget, and everything is returned", () => {
  const step = fc.record({ which: fc.nat(4), bytes: fc.option(fc.nat(60)) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
      const budget = createMemoryBudget(100);
      const reservations = Array.from({ length: 5 }, () => budget.open());
      const sizes = [0, 0, 0, 0, 0];
      for (const { which, bytes } of steps) {
        if (bytes === null) reservations[which]?.release();
        const fits = bytes !== null && reservations[which]?.resize(bytes) === true;
        if (bytes === null || fits) sizes[which] = bytes ?? 0;
        expect(budget.reserved()).toBe(sizes.reduce((sum, size) => sum + size, 0));
        expect(budget.reserved()).toBeLessThanOrEqual(100);
      }
      for (const reservation of reservations) reservation.release();
      expect(budget.reserved()).toBe(0);
    }),
  );
});
