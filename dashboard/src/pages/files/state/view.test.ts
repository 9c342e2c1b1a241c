import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  FIRST_DEFAULTS,
  type FilesView,
  folderPath,
  parentKey,
  parseView,
  viewPath,
} from "./view.ts";

const name = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 40 })
  .map((text) => text.replace(/[/\\]/g, "_").toWellFormed())
  .filter((text) => text !== "." && text !== ".." && !/\p{Cc}/u.test(text));

const view: fc.Arbitrary<FilesView> = fc.record({
  key: fc.array(name, { maxLength: 5 }).map((names) => names.join("/")),
  orderBy: fc.constantFrom("name", "type", "size", "createdAt", "updatedAt"),
  direction: fc.constantFrom("ASC", "DESC"),
  layout: fc.constantFrom("list", "grid"),
  query: fc.string({ unit: "grapheme" }).map((text) => text.toWellFormed()),
});

const parse = (path: string) => {
  const { pathname, search } = new URL(path, "http://here.example");
  return parseView(pathname.replace(/^\/files\/?/, ""), search, FIRST_DEFAULTS);
};

test("every view comes back from its address, whatever is in the names", () => {
  fc.assert(fc.property(view, (each) => expect(parse(viewPath(each))).toEqual(each)));
});

test("names with meaning in addresses lead to themselves", () => {
  for (const key of ["100%", "a#b?c", "%2F", "a b/c&d=e", "…/👩‍👩‍👧", "...", "+"]) {
    expect(parse(folderPath(key)).key).toBe(key);
  }
});

test("what the address does not know is as usual", () => {
  expect(parseView("a%zz//b/", "?sort=colour&dir=up&view=cube", FIRST_DEFAULTS)).toEqual({
    key: "a%zz/b",
    query: "",
    ...FIRST_DEFAULTS,
  });
});

test("parents lead to the root", () => {
  expect(parentKey("a/b/c")).toBe("a/b");
  expect(parentKey("a")).toBe("");
  expect(parentKey("")).toBeUndefined();
});
