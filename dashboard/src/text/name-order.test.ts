import { expect, test } from "bun:test";
import fc from "fast-check";
import { compareNames } from "./compare-names.ts";

test("orders numbers by value, and ignores case", () => {
  const names = [
    "README.md",
    "file10.txt",
    "customers.csv",
    "Annual.pdf",
    "file2.txt",
    "File1.txt",
  ];
  expect(names.toSorted(compareNames)).toEqual([
    "Annual.pdf",
    "customers.csv",
    "File1.txt",
    "file2.txt",
    "file10.txt",
    "README.md",
  ]);
});

test("only equal names have the same place", () => {
  const name = fc.string({ unit: "grapheme" });
  fc.assert(
    fc.property(name, name, (one, other) => {
      expect(Math.sign(compareNames(one, other))).toBe(-Math.sign(compareNames(other, one)) + 0);
      expect(compareNames(one, other) === 0).toBe(one === other);
    }),
  );
});
