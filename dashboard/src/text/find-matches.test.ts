import { expect, test } from "bun:test";
import { findInFolded, findMatches, findText, foldGraphemes } from "./find-matches.ts";

const matched = (name: string, search: string): string[] =>
  findMatches(name, search).map(({ start, end }) => name.slice(start, end));

test("finds every occurrence, regardless of case and accents", () => {
  expect(matched("Banana.txt", "AN")).toEqual(["an", "an"]);
  expect(matched("Éclair e\u0301.png", "e")).toEqual(["É", "e\u0301"]);
  expect(matched("Straße", "é")).toEqual(["e"]);
  expect(matched("photo.jpg", "x")).toEqual([]);
});

test("a * stands for any text", () => {
  expect(matched("report-2026.pdf", "*.pdf")).toEqual([".pdf"]);
  expect(matched("report-2026.pdf", "rep*20*pdf")).toEqual(["rep", "20", "pdf"]);
  expect(matched("a.a", "a*")).toEqual(["a"]);
  expect(matched("anything", "*")).toEqual([]);
});

test("marks whole graphemes, where folding changes the length too", () => {
  expect(matched("👩‍👩‍👧 family", "fam")).toEqual(["fam"]);
  expect(matched("x👩‍👩‍👧y", "👩")).toEqual(["👩‍👩‍👧"]);
  expect(findMatches("İx", "x")).toEqual([{ start: 1, end: 2 }]);
});

test("a folded text can be searched again and again", () => {
  const original = "Éclair, straße, ECLAIR, \ufb03";
  const folded = foldGraphemes(original);
  for (const part of ["eclair", "STRASSE", "f", "*", "", "x"]) {
    expect(findInFolded(folded, part)).toEqual(findText(original, part));
  }
  expect(findInFolded(folded, "éclair")).toEqual([
    { start: 0, end: 6 },
    { start: 16, end: 22 },
  ]);
});
