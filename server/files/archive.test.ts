import { afterEach, beforeEach, expect, test } from "bun:test";
import type { FileRecord } from "../rules/records.ts";
import { createArchives } from "./archive.ts";
import { file, openUploadBed, type UploadBed } from "./upload-bed.fixture.ts";

let uploads: UploadBed;
let stored: FileRecord[];
beforeEach(async () => {
  uploads = await openUploadBed();
  stored = await uploads.send(["folder", "outer/inner"], file("a.txt"), file("b.txt"));
});
afterEach(() => uploads.end());

/** Archives whose plan may take so many bytes. */
const archives = (mostPlanned: number) =>
  createArchives({ ...uploads.bed, mostPlanned, onDamage: () => {} });

test("a plan is refused before it takes more memory than it may, however few the ids", async () => {
  const inner = stored[0]?.folderId ?? "";
  const outer = (await uploads.bed.catalog.folderById(inner))?.parentId ?? "";
  const both = { ids: [], folderIds: [outer, inner] };
  const whole = await archives(1000).selection(both);
  // Some 60 bytes for each of seven entries: outer, inner, a, b, and inner, a, b again.
  await expect(archives(400).selection(both)).rejects.toMatchObject({ kind: "too_large" });
  await expect(archives(100).folder({ key: "outer" })).rejects.toMatchObject({ kind: "too_large" });
  expect((await archives(400).folder({ key: "outer" })).size).toBeLessThan(whole.size);
});
