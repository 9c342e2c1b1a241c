import { expect, test } from "bun:test";
import fc from "fast-check";
import { findDelimiter, parseCsv } from "./parse-csv.ts";

test.each([
  ["", []],
  ["a", [["a"]]],
  [
    "a,b\n1,2",
    [
      ["a", "b"],
      ["1", "2"],
    ],
  ],
  [
    "a,b\r\n1,2\r\n",
    [
      ["a", "b"],
      ["1", "2"],
    ],
  ],
  ["a,,\n", [["a", "", ""]]],
  ["a,", [["a", ""]]],
  [
    '"a,b","c\nd"\n"e""f",g',
    [
      ["a,b", "c\nd"],
      ['e"f', "g"],
    ],
  ],
  ['5" pipe,"open', [['5" pipe', "open"]]],
  ["a\n\nb", [["a"], [""], ["b"]]],
])("parses %p", (text, rows) => {
  expect(parseCsv(text, ",")).toEqual(rows);
});

test("reads every table that is written with quotes", () => {
  const cell = fc.string({ unit: fc.constantFrom("a", '"', ",", ";", "\n", "\r", " ", "é") });
  const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 5 });
  fc.assert(
    fc.property(table, fc.constantFrom(",", ";", "\t"), (rows, delimiter) => {
      const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
      const text = rows.map((row) => `${row.map(quote).join(delimiter)}\n`).join("");
      expect(parseCsv(text, delimiter)).toEqual(rows);
    }),
  );
});

test.each([
  ["a,b,c\n1,2,3", ","],
  ["name;price\nx;1,50\ny;2,50", ";"],
  ["a\tb\n1\t2", "\t"],
  ["a|b\n1|2", "|"],
  ["one column\nonly", ","],
])("finds the delimiter of %p", (text, delimiter) => {
  expect(findDelimiter(text)).toBe(delimiter);
});
