import { expect, test } from "bun:test";
import { entryOfFile, entryOfFolder } from "../data/entry.ts";
import { canDrop } from "./drag.ts";

const dates = { createdAt: "2026-01-01 00:00:00", updatedAt: "2026-01-01 00:00:00" };
const folder = (id: string, key: string, parentId: string) =>
  entryOfFolder({ id, key, name: key.split("/").at(-1) ?? "", parentId, ...dates });
const file = (folderId: string) =>
  entryOfFile({
    ...dates,
    id: "file",
    name: "a.txt",
    key: "a.txt",
    url: "api/hosting/a.txt",
    folderId,
    mimeType: "text/plain",
    size: 1,
    visibility: "public",
  });
const target = (id: string, key: string) => ({ id, key, name: "" });

test("rejects a drop into the folder that holds the entries", () => {
  expect(canDrop([file("root")], target("root", ""))).toBe(false);
  expect(canDrop([folder("a", "a", "root")], target("root", ""))).toBe(false);
  expect(canDrop([file("root"), folder("a", "a", "root")], target("b", "b"))).toBe(true);
});

test("rejects a drop of a folder into itself or below", () => {
  const a = folder("a", "x/a", "x");
  expect(canDrop([a], target("a", "x/a"))).toBe(false);
  expect(canDrop([a], target("deep", "x/a/b/c"))).toBe(false);
  expect(canDrop([a], target("ab", "x/ab"))).toBe(true);
  expect(canDrop([file("other"), a], target("deep", "x/a/b"))).toBe(false);
});

test("rejects a drop of nothing", () => {
  expect(canDrop([], target("a", "a"))).toBe(false);
});
