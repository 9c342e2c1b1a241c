import { expect, test } from "bun:test";
import fc from "fast-check";
import { nameOrder, sortByName } from "./name-order.ts";

const named = (names: readonly string[]) => names.map((name) => ({ name }));

test("orders numbers by value, and ignores case, both ways", () => {
  const names = [
    "README.md",
    "file10.txt",
    "customers.csv",
    "Annual.pdf",
    "file2.txt",
    "File1.txt",
  ];
  const sorted = [
    "Annual.pdf",
    "customers.csv",
    "File1.txt",
    "file2.txt",
    "file10.txt",
    "README.md",
  ];
  expect(sortByName(named(names))).toEqual(named(sorted));
  expect(sortByName(named(names), "DESC")).toEqual(named(sorted.toReversed()));
});

test("only equal names have the same place", () => {
  const name = fc.string({ unit: "grapheme" });
  const compare = nameOrder();
  fc.assert(
    fc.property(name, name, (one, other) => {
      expect(Math.sign(compare(one, other))).toBe(-Math.sign(compare(other, one)) + 0);
      expect(compare(one, other) === 0).toBe(one === other);
    }),
  );
});
