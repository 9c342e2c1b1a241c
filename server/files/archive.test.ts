import { afterEach, beforeEach, expect, test } from "bun:test";
import { parseKey } from "../rules/name.ts";
import type { FileRecord } from "../rules/records.ts";
import { createArchives } from "./archive.ts";
import { openUploadFixture, type UploadFixture } from "./upload.fixture.ts";

let uploads: UploadFixture;
let stored: FileRecord[];
beforeEach(async () => {
  uploads = await openUploadFixture();
  stored = await uploads.upload(
    { "a.txt": "content", "b.txt": "content" },
    { folder: parseKey("outer/inner") },
  );
});
afterEach(() => uploads.end());

const archives = (maxPlanBytes: number) =>
  createArchives({ ...uploads.fixture, maxPlanBytes, onDamage: () => {} });

test("rejects an archive whose plan takes too much memory, even with few ids", async () => {
  const inner = stored[0]?.folderId ?? "";
  const outer = (await uploads.fixture.catalog.folderById(inner))?.parentId ?? "";
  const both = { ids: [], folderIds: [outer, inner] };
  const whole = await archives(1000).selection(both);
  // Some 60 bytes for each of seven entries: outer, inner, a, b, and inner, a, b again.
  await expect(archives(400).selection(both)).rejects.toMatchObject({ kind: "too_large" });
  await expect(archives(100).folder({ key: "outer" })).rejects.toMatchObject({ kind: "too_large" });
  expect((await archives(400).folder({ key: "outer" })).size).toBeLessThan(whole.size);
});
