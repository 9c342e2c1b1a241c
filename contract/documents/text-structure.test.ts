import { expect, test } from "bun:test";
import { MAX_JSON_BYTES, textStructureOf } from "./text-structure.ts";

test.each([
  ["a.csv", "text/csv", 1, "table"],
  ["a.tsv", "text/plain", 1, "table"],
  ["a.json", "application/json", 1, "json"],
  ["map", "application/geo+json", 1, "json"],
  ["a.json", "application/json", MAX_JSON_BYTES + 1, undefined],
  ["a.jsonl", "application/x-ndjson", 1, undefined],
  ["a.txt", "text/plain", 1, undefined],
] as const)("%s of type %s and %d bytes: %s", (name, mimeType, size, structure) => {
  expect(textStructureOf({ name, mimeType, size })).toBe(structure);
});
