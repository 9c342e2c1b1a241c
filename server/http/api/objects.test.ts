import { expect, test } from "bun:test";
import { blobId } from "../../domain/blob-id.ts";
import { parseKey, parseName, ROOT_KEY } from "../../domain/names/name.ts";
import type { FileRecord, FolderRecord } from "../../domain/records.ts";
import { fileObject, folderObject } from "./objects.ts";

const file: FileRecord = {
  id: "f1",
  folderId: "d1",
  name: parseName("a#b?c.png"),
  key: parseKey("my folder/a#b?c.png"),
  charset: "+",
  mimeType: "image/png",
  size: 2048,
  visibility: "private",
  blobId: blobId(1, 2),
  checksum: 7,
  sha256: null,
  metadata: null,
  s3: null,
  modifiedAt: Date.UTC(2025, 0, 1),
  createdAt: Date.UTC(2026, 0, 31, 9, 30, 5, 999),
  updatedAt: Date.UTC(2026, 11, 1, 23, 59, 59),
  expiresAt: null,
};

test("a file has exactly the fields of the contract", () => {
  expect(fileObject(file)).toEqual({
    id: "f1",
    name: "a#b?c.png",
    key: "my folder/a#b?c.png",
    mimeType: "image/png",
    size: 2048,
    folderId: "d1",
    visibility: "private",
    url: "api/hosting/my%20folder/a%23b%3Fc.png",
    createdAt: "2026-01-31 09:30:05",
    updatedAt: "2026-12-01 23:59:59",
  });
});

test("the URL is the same regardless of visibility", () => {
  expect(fileObject({ ...file, visibility: "public" }).url).toBe(fileObject(file).url);
});

const root: FolderRecord = {
  id: "d0",
  name: "",
  key: ROOT_KEY,
  parentId: null,
  createdAt: 0,
  updatedAt: 0,
  defaultVisibility: null,
  inheritedVisibility: "private",
  expireAfter: null,
  inheritedExpireAfter: null,
};

test("a folder has exactly the fields of the contract", () => {
  const extra = { ...root, depth: 3 };
  expect(folderObject(extra)).toEqual({
    id: "d0",
    name: "",
    key: "",
    parentId: null,
    createdAt: "1970-01-01 00:00:00",
    updatedAt: "1970-01-01 00:00:00",
  });
  const inside = folderObject({
    ...root,
    name: parseName("b"),
    key: parseKey("a/b"),
    parentId: "d0",
  });
  expect(inside).toMatchObject({ name: "b", key: "a/b", parentId: "d0" });
});
