import { expect, test } from "bun:test";
import fc from "fast-check";
import type * as wire from "../../contract/types.ts";
import { blobId } from "./blob-id.ts";
import { hostingKey } from "./hosting-key.ts";
import { nameOrNothing, parseKey, parseName, ROOT_KEY } from "./name.ts";
import { fileObject, folderObject, hostingUrl, timestamp } from "./objects.ts";
import type { FileRecord, FolderRecord } from "./records.ts";

const file: FileRecord = {
  id: "f1",
  folderId: "d1",
  name: parseName("a#b?c.png"),
  key: parseKey("my folder/a#b?c.png"),
  mimeType: "image/png",
  size: 2048,
  visibility: "private",
  blobId: blobId(1, 2),
  checksum: 7,
  modifiedAt: Date.UTC(2025, 0, 1),
  createdAt: Date.UTC(2026, 0, 31, 9, 30, 5, 999),
  updatedAt: Date.UTC(2026, 11, 1, 23, 59, 59),
};

test("a file has exactly the fields of the contract", () => {
  const object: wire.FileObject = fileObject(file);
  expect(object).toEqual({
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
};

test("a folder has exactly the fields of the contract", () => {
  const extra = { ...root, depth: 3 };
  const object: wire.FolderObject = folderObject(extra);
  expect(object).toEqual({
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

test("a timestamp is in UTC, in whole seconds rounded down", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: Date.UTC(9999, 11, 31, 23, 59, 59, 999) }), (at) => {
      const text = timestamp(at);
      expect(text).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
      expect(Date.parse(`${text.replace(" ", "T")}Z`)).toBe(Math.floor(at / 1000) * 1000);
    }),
  );
});

test.each([
  ["a.txt", "a.txt"],
  ["photos/2026/harbour_1~b-c.jpg", "photos/2026/harbour_1~b-c.jpg"],
  ["my folder/a#b?c.png", "my%20folder/a%23b%3Fc.png"],
  ["100%/50%25.txt", "100%25/50%2525.txt"],
  ["a%2Fb", "a%252Fb"],
  ["%2e%2e/x", "%252e%252e/x"],
  ['(1)\'s "x" <y>.txt', "%281%29%27s%20%22x%22%20%3Cy%3E.txt"],
  ["日本語/🎉", "%E6%97%A5%E6%9C%AC%E8%AA%9E/%F0%9F%8E%89"],
  ["a+b&c=d;e:f@g", "a%2Bb%26c%3Dd%3Be%3Af%40g"],
  ["...", "..."],
])("%s is hosted at %s", (key, expected) => {
  expect(hostingUrl(parseKey(key))).toBe(`api/hosting/${expected}`);
});

const anyKey = fc
  .array(
    fc
      .oneof(
        fc.string({ unit: "binary" }),
        fc.string({ unit: "grapheme" }),
        fc.stringMatching(/^[%2eEfF.#? '"()&;+\u00e9-]{1,8}$/),
      )
      .filter((name) => nameOrNothing(name) !== undefined),
    { minLength: 1, maxLength: 5 },
  )
  .map((names) => parseKey(names.join("/")));

test("any key comes back from its URL, decoded once, segment by segment", () => {
  fc.assert(
    fc.property(anyKey, (key) => {
      const url = new URL(hostingUrl(key), "http://localhost/");
      const segments = url.pathname.split("/").slice(3).map(decodeURIComponent);
      expect(segments.join("/")).toBe(key);
      expect(hostingKey(segments, url.href)).toBe(key);
    }),
    { numRuns: 2000 },
  );
});

test("any URL works as it stands: in a browser, an attribute and a Markdown link", () => {
  fc.assert(
    fc.property(anyKey, (key) => {
      const url = hostingUrl(key);
      expect(url).toMatch(/^api\/hosting\/[A-Za-z0-9\-._~!*/%]+$/);
      expect(new URL(url, "http://localhost/").href).toBe(`http://localhost/${url}`);
    }),
    { numRuns: 2000 },
  );
});
