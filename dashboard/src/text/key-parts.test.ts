import { expect, test } from "bun:test";
import { displayName, parentKey } from "./key-parts.ts";

test("parents end at the root", () => {
  expect(parentKey("a/b/c")).toBe("a/b");
  expect(parentKey("a")).toBe("");
  expect(parentKey("")).toBeUndefined();
});

test("the root is called Files", () => {
  expect(displayName("a/b.txt")).toBe("b.txt");
  expect(displayName("a")).toBe("a");
  expect(displayName("")).toBe("Files");
});
