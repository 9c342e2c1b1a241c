import { expect, test } from "bun:test";
import { rank, ranked } from "./rank.ts";

test.each([
  ["", "Overview", 0],
  ["ove", "Overview", 0],
  ["ÖVÉ", "Övérview", 0],
  ["folder", "New folder", 1],
  ["older", "New folder", 2],
  ["folder new", "New folder", 2],
  ["dark mode", "Dark theme", 3],
  ["light", "Dark theme", undefined],
])("“%s” in “%s” has rank %p", (typed, title, expected) => {
  expect(rank(typed, title, "mode appearance")).toBe(expected);
});

test("the best answers come first, equal ones in their order", () => {
  const items = ["Reset links", "Links", "Link settings"].map((title) => ({ title }));
  expect(ranked("link", items).map(({ title }) => title)).toEqual([
    "Links",
    "Link settings",
    "Reset links",
  ]);
});
