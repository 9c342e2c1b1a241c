import { expect, test } from "bun:test";
import { numberRepeatedPaths } from "./number-repeated-paths.ts";

test.each([
  [
    ["a.jpg", "a.jpg", "a.jpg"],
    ["a.jpg", "a (2).jpg", "a (3).jpg"],
  ],
  [
    ["a.jpg", "a (2).jpg", "a.jpg"],
    ["a.jpg", "a (2).jpg", "a (3).jpg"],
  ],
  [
    ["x/a.jpg", "y/a.jpg", "a.jpg"],
    ["x/a.jpg", "y/a.jpg", "a.jpg"],
  ],
  [
    ["v1.2/notes", "v1.2/notes"],
    ["v1.2/notes", "v1.2/notes (2)"],
  ],
  [
    ["x.y/a.tar.gz", "x.y/a.tar.gz", "x/.tar.gz", "x/.tar.gz"],
    ["x.y/a.tar.gz", "x.y/a (2).tar.gz", "x/.tar.gz", "x/.tar (2).gz"],
  ],
  [
    [".env", ".env"],
    [".env", ".env (2)"],
  ],
  [
    ["\u00e9.txt", "e\u0301.txt"],
    ["\u00e9.txt", "e\u0301 (2).txt"],
  ],
])("numbers %j as %j", async (given, expected) => {
  const files = given.map((path) => ({ path, content: new Blob(["x"]) }));
  const paths: string[] = [];
  for await (const { path } of numberRepeatedPaths(files)) paths.push(path);
  expect(paths).toEqual(expected);
});
