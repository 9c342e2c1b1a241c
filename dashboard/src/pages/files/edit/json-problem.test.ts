import { expect, test } from "bun:test";
import { jsonProblem } from "./json-problem.ts";

test.each(['{"a": [1, 2, {"b": {}}], "c": []}', " null\n", '"\\u00e9é\u007f"', "-1.5e+3"])(
  "%j has no problem",
  (text) => {
    expect(jsonProblem(text)).toBeUndefined();
  },
);

test.each([
  ["", 0, "Line 1, column 1: the text ends too soon."],
  ["{", 1, "Line 1, column 2: the text ends too soon."],
  ['{\n  "a": \n}', 10, "Line 3, column 1: “}” is not expected here."],
  ["[1,]", 3, "Line 1, column 4: “]” is not expected here."],
  ["{'a': 1}", 1, "Line 1, column 2: “'” is not expected here."],
  ['{"a": 1,}', 8, "Line 1, column 9: “}” is not expected here."],
  ['{"a" 1}', 5, "Line 1, column 6: “1” is not expected here."],
  ["[1] x", 4, "Line 1, column 5: “x” is not expected here."],
  ["[01]", 2, "Line 1, column 3: “1” is not expected here."],
  ['{"a": 🎉}', 6, "Line 1, column 7: “🎉” is not expected here."],
])("%j has one at %d", (text, at, expected) => {
  expect(jsonProblem(text)).toEqual({ at, text: expected });
});

test("deep nesting is checked", () => {
  const text = "[".repeat(100_000);
  expect(jsonProblem(text)?.at).toBe(text.length);
});
