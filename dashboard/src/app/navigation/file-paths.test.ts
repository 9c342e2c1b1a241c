import { expect, test } from "bun:test";
import { filePath, folderPath, parentFolderPath } from "./file-paths.ts";

test("encodes each segment of a folder's path", () => {
  expect(folderPath("")).toBe("/files");
  expect(folderPath("a b/50% #1?")).toBe("/files/a%20b/50%25%20%231%3F");
});

test("links to a file through its folder", () => {
  expect(parentFolderPath("photos/2026/a.jpg")).toBe("/files/photos/2026");
  expect(parentFolderPath("a.jpg")).toBe("/files");
  expect(filePath({ id: "01-a", key: "photos/a.jpg" })).toBe("/files/photos?file=01-a");
});
