import { expect, test } from "bun:test";
import { neighboursOf } from "./neighbours-of.ts";

test("the file is in the middle of its neighbours", () => {
  expect(neighboursOf(50, 100, 5)).toEqual([48, 49, 50, 51, 52]);
});

test("at the ends, there are as many neighbours on the other side", () => {
  expect(neighboursOf(0, 100, 3)).toEqual([0, 1, 2]);
  expect(neighboursOf(99, 100, 3)).toEqual([97, 98, 99]);
});

test("there are no more neighbours than files, and none without room", () => {
  expect(neighboursOf(1, 2, 9)).toEqual([0, 1]);
  expect(neighboursOf(1, 2, 0)).toEqual([]);
  expect(neighboursOf(1, 2, -1)).toEqual([]);
});
