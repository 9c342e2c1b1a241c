import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseKey } from "../domain/names/name.ts";
import { openUnfinished } from "./export-file.ts";
import { exportTree } from "./export-tree.ts";
import { createManifest } from "./manifest.ts";
import { openTransferFixture, type TransferFixture } from "./transfer.fixture.ts";

let fixture: TransferFixture;
beforeEach(async () => {
  fixture = await openTransferFixture();
});
afterEach(() => fixture.end());

test("an export does not replace a file that appears at the path before the sync", async () => {
  for (const name of ["a", "b", "c"]) await fixture.put(name, `content of ${name}`);
  const path = join(fixture.folder, "export");
  mkdirSync(path);
  const unfinished = await openUnfinished(path);
  const snapshot = await fixture.snapshot();
  const done = await exportTree({
    snapshot,
    blobs: fixture.blobs,
    folder: parseKey(""),
    path,
    unfinished,
    ...fixture.report,
    // Like a case-insensitive disk when `B` and `b` are in one batch.
    syncVolume: async () => writeFileSync(join(path, "b"), "not Holdall's"),
  });
  snapshot.close();
  expect(done).toMatchObject({ written: { files: 2 }, existing: { files: 0 }, skipped: 1 });
  expect(fixture.problems).toEqual([
    "b: something else already exists at this path and was not changed",
  ]);
  expect(readdirSync(path).sort()).toEqual(["a", "b", "c"]);
  expect(readFileSync(join(path, "b"), "utf8")).toBe("not Holdall's");
  expect(readFileSync(join(path, "c"), "utf8")).toBe("content of c");
});

test("the manifest has every exported file: known digests and those computed from older files", async () => {
  const contents = { a: "content of a", "x/b": "content of b", "x/y/c": "" };
  for (const [path, content] of Object.entries(contents)) await fixture.put(path, content);
  fixture.forgetDigest("c");
  const path = join(fixture.folder, "export");
  mkdirSync(path);
  const expected = Object.entries(contents).map(([name, content]) => {
    const digest = new Bun.CryptoHasher("sha256").update(content).digest("hex");
    return `${digest}  ${name}`;
  });
  const exportWith = async (name: string) => {
    const manifest = await createManifest(join(fixture.folder, name));
    const snapshot = await fixture.snapshot();
    const unfinished = await openUnfinished(path);
    const to = { folder: parseKey(""), path, unfinished, syncVolume: async () => {} };
    const done = await exportTree({
      snapshot,
      blobs: fixture.blobs,
      manifest,
      ...to,
      ...fixture.report,
    });
    await manifest.publish();
    snapshot.close();
    expect(fixture.problems).toEqual([]);
    return { done, lines: readFileSync(join(fixture.folder, name), "utf8").trim().split("\n") };
  };
  const first = await exportWith("first");
  expect(first.done).toMatchObject({ written: { files: 3 } });
  expect(first.lines.sort()).toEqual(expected.sort());
  const again = await exportWith("again");
  expect(again.done).toMatchObject({ written: { files: 0 }, existing: { files: 3 } });
  expect(again.lines.sort()).toEqual(expected);
});
