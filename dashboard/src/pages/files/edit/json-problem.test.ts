import { expect, test } from "bun:test";
import { jsonProblem } from "./json-problem.ts";

test("JSON has no problem", () => {
  expect(jsonProblem('{"a": [1, 2]}')).toBeUndefined();
});

test.each(["", "{", '{"a": }', "[1,]", "{'a': 1}", "nonsense"])("%j has one", (text) => {
  expect(jsonProblem(text)?.text).not.toBe("");
});
