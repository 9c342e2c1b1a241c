import { expect, test } from "bun:test";
import type { TrashItem } from "../../../../sdk/src/holdall.ts";
import { formatExpiry, formatItemSize, formatLoss, formatSum } from "./item-text.ts";

const file: TrashItem = {
  id: "a",
  kind: "file",
  name: "a.txt",
  key: "a.txt",
  size: 1_500,
  files: null,
  visibility: "public",
  mimeType: "text/plain",
  undoId: "u",
  deletedAt: "2026-01-01 00:00:00",
  deletedBy: null,
  expiresAt: "2026-01-31 00:00:00",
};
const folder: TrashItem = {
  ...file,
  kind: "folder",
  size: 2_000,
  files: 12,
  visibility: null,
  mimeType: null,
};

test("gives the size of a file, and the files of a folder", () => {
  expect(formatItemSize(file)).toBe("1.5 KB");
  expect(formatItemSize(folder)).toBe("12 files · 2.0 KB");
  expect(formatItemSize({ ...folder, size: null, files: null })).toBeUndefined();
});

test("says when an item will be deleted permanently", () => {
  expect(formatExpiry(file, new Date("2026-01-19T00:00:00Z"))).toBe("in 12 days");
  expect(formatExpiry(file, new Date("2026-01-30T23:59:30Z"))).toBe("soon");
  expect(formatExpiry(file, new Date("2026-02-03T00:00:00Z"))).toBe("soon");
});

test("adds up items, unless one is not counted", () => {
  expect(formatSum([file, folder])).toBe("13 files (3.5 KB)");
  expect(formatSum([file, { ...folder, size: null, files: null }])).toBeUndefined();
});

test("counts folders without files instead of no files", () => {
  const empty = { ...folder, files: 0, size: 0 };
  expect(formatSum([empty])).toBe("1 empty folder");
  expect(formatLoss({ items: 3, files: 0, bytes: 0 })).toBe("3 empty folders");
});
