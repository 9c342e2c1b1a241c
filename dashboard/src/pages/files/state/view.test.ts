import { expect, test } from "bun:test";
import fc from "fast-check";
import { folderPath } from "../../../app/navigation/file-paths.ts";
import { NO_FILTERS } from "./search-filters.ts";
import {
  type FilesView,
  INITIAL_VIEW,
  isSearch,
  NO_SEARCH,
  parseView,
  sortedBy,
  viewPath,
} from "./view.ts";

const name = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 40 })
  .map((text) => text.replace(/[/\\]/g, "_").toWellFormed())
  .filter((text) => text !== "." && text !== ".." && !/\p{Cc}/u.test(text));

const search = fc.oneof(
  fc.constant(NO_SEARCH),
  fc.record({
    query: fc.string({ unit: "grapheme" }).map((text) => text.toWellFormed()),
    scope: fc.constantFrom<FilesView["scope"]>("all", "folder"),
    filters: fc.record({
      type: fc.constantFrom("", "image/*", "application/pdf"),
      updated: fc.constantFrom("", "week"),
      size: fc.constantFrom("", "large"),
      visibility: fc.constantFrom("", "public", "private"),
    }),
  }),
);

const place = fc.record({
  key: fc.array(name, { maxLength: 5 }).map((names) => names.join("/")),
  orderBy: fc.constantFrom<FilesView["orderBy"]>("name", "type", "size", "createdAt", "updatedAt"),
  direction: fc.constantFrom<FilesView["direction"]>("ASC", "DESC"),
  layout: fc.constantFrom<FilesView["layout"]>("list", "grid"),
});

const view: fc.Arbitrary<FilesView> = fc
  .tuple(place, search)
  .map(([place, search]) => ({ ...place, ...(isSearch(search) ? search : NO_SEARCH) }));

const parse = (path: string) => {
  const { pathname, search } = new URL(path, "http://here.example");
  return parseView(pathname.replace(/^\/files\/?/, ""), search, INITIAL_VIEW);
};

test("every view survives a round trip through its path", () => {
  fc.assert(fc.property(view, (each) => expect(parse(viewPath(each))).toEqual(each)));
});

test("escapes names with characters that are special in URLs", () => {
  for (const key of ["100%", "a#b?c", "%2F", "a b/c&d=e", "…/👩‍👩‍👧", "...", "+"]) {
    expect(parse(folderPath(key)).key).toBe(key);
  }
});

test("falls back to the defaults for unknown values", () => {
  expect(parseView("a%zz//b/", "?sort=colour&dir=up&view=cube", INITIAL_VIEW)).toEqual({
    key: "a%zz/b",
    ...NO_SEARCH,
    ...INITIAL_VIEW,
  });
  const { filters } = parseView("", "?q=x&type=smell&size=large&visibility=none", INITIAL_VIEW);
  expect(filters).toEqual({ ...NO_FILTERS, size: "large" });
});

test("a click on a column sorts by it, and turns around the one that the list is sorted by", () => {
  const view: FilesView = { ...INITIAL_VIEW, ...NO_SEARCH, key: "" };
  expect(sortedBy(view, "name")).toEqual({ orderBy: "name", direction: "DESC" });
  expect(sortedBy(view, "size")).toEqual({ orderBy: "size", direction: "DESC" });
  expect(sortedBy({ ...view, orderBy: "size" }, "type")).toEqual({
    orderBy: "type",
    direction: "ASC",
  });
});
