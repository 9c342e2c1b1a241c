import { expect, test } from "bun:test";
import { csvField, tableFormat } from "./activity-table.ts";

test.each([
  ["photos/a.jpg", "photos/a.jpg"],
  ["a-b+c=d@e", "a-b+c=d@e"],
  ['a,"b"', '"a,""b"""'],
  ["=1+1", "'=1+1"],
  ["\t=1", "'\t'=1"],
  // Wide characters, which spreadsheets take for the usual ones.
  ["\uFF1D1+1", "'\uFF1D1+1"],
  ["\uFF20SUM", "'\uFF20SUM"],
  // Spreadsheets of many countries separate cells by a semicolon.
  ["a;=1+1", "a;'=1+1"],
  ['a; "=1+1', '"a; ""\'=1+1"'],
  ["a;b", "a;b"],
  // `detail`, in which quotes are escaped.
  ['{"name":";=1"}', '"{""name"":"";\'=1""}"'],
])("a field of CSV is no formula: %p", (text, field) => expect(csvField(text)).toBe(field));

test.each([
  ["text/csv", "csv"],
  ["application/x-ndjson", "ndjson"],
  ["text/csv;q=0.9, */*;q=0.1", "csv"],
  ["application/x-ndjson; q=0.5, text/csv", "csv"],
  ["application/json;q=0.5, text/csv;q=0.6", "csv"],
  ["application/json, text/csv;q=0.9", undefined],
  ["text/csv;q=0.9, application/json", undefined],
  ["text/csv;q=0", undefined],
  ["text/html, */*", undefined],
  ["text/csv;q=much", undefined],
  ["constructor", undefined],
] as const)("the table for Accept: %s", (accept, format) =>
  expect(tableFormat(new Request("http://localhost", { headers: { accept } }))).toBe(format),
);
