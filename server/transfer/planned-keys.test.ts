import { expect, test } from "bun:test";
import { parseKey } from "../domain/names/name.ts";
import { createPlannedKeys } from "./planned-keys.ts";

const FILE = "has this name here";
const FOLDER = "a folder of the source has this name";

test.each([
  ["files of several folders", ["a/b", "a/c", "b"], "a/d/e", undefined],
  ["a file twice", ["a/b"], "a/b", FILE],
  ["names of which Unicode has two forms", ["a/u\u0308"], "a/\u00fc", FILE],
  ["a folder, then a file", ["either/or/both"], "either", FOLDER],
  ["a file, then a folder", ["either"], "either/or/both", 'its folder "either"'],
])("%s", (_, before, last, expected) => {
  const planned = createPlannedKeys();
  for (const key of before) expect(planned.addFile(parseKey(key))).toBeUndefined();
  const problem = planned.addFile(parseKey(last));
  if (expected === undefined) expect(problem).toBeUndefined();
  else expect(problem).toContain(expected);
});

test("a folder may be there twice, but not besides a file", () => {
  const planned = createPlannedKeys();
  expect(planned.addFolder(parseKey("a/b"))).toBeUndefined();
  expect(planned.addFolder(parseKey("a/b"))).toBeUndefined();
  planned.addFile(parseKey("a/c"));
  expect(planned.addFolder(parseKey("a/c"))).toContain("has the name of a file");
});
