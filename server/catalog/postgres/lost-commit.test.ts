import { afterEach, beforeEach, expect, test } from "bun:test";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey } from "../../domain/names/name.ts";
import type { OnConflict } from "../../domain/names/on-conflict.ts";
import { parseSha256 } from "../../domain/sha256.ts";
import type { Catalog } from "../port/catalog.ts";
import { allKeys, createUploader, expectFault } from "../suite/catalog.fixture.ts";
import { createUploads } from "../suite/uploads.fixture.ts";
import { type CommitCutter, createCommitCutter } from "./commit-cutter.fixture.ts";
import { openPostgresCatalog } from "./postgres-catalog.ts";
import { postgresServer } from "./server.fixture.ts";

let proxy: CommitCutter;
let catalog: Catalog;

beforeEach(async () => {
  proxy = await createCommitCutter(await (await postgresServer()).fresh());
  catalog = await openPostgresCatalog({ url: proxy.url });
});
afterEach(async () => {
  await catalog.close();
  proxy.close();
});

test("a commit that did not reach the server is retried", async () => {
  const uploader = createUploader(catalog);
  await uploader.addOne("first");
  proxy.cutCommit("before the server");
  const file = await uploader.addOne("second");
  expect(await catalog.fileById(COMMAND_EVERYWHERE, file.id)).toEqual(file);
  proxy.cutCommit("before the server");
  const folder = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a/b"));
  expect(await catalog.folderById(COMMAND_EVERYWHERE, folder.id)).toEqual(folder);
  expect(await allKeys(catalog)).toEqual(["first", "second"]);
});

test("added files are returned although the reply to the commit was lost", async () => {
  const uploader = createUploader(catalog);
  await uploader.addOne("first");
  proxy.cutCommit("after the server");
  const files = await uploader.add(["b", "c"], { folder: "new" });
  for (const file of files)
    expect(await catalog.fileById(COMMAND_EVERYWHERE, file.id)).toEqual(file);
  proxy.cutCommit("after the server");
  const replaced = await uploader.addOne("b", { folder: "new", onConflict: "replace" });
  expect(await catalog.fileById(COMMAND_EVERYWHERE, replaced.id)).toEqual(replaced);
  expect(await allKeys(catalog)).toEqual(["first", "new/b", "new/c"]);
});

test("uploads and batches are finished although the reply to the commit was lost", async () => {
  const uploads = createUploads(catalog);
  await createUploader(catalog).addOne("a.bin", { folder: "in/here" });
  const expectSame = async (onConflict: OnConflict, batchId: string | null = null) => {
    const upload = await uploads.add({ onConflict, batchId });
    const epoch = await uploads.claim(upload.id);
    proxy.cutCommit("after the server");
    expect(await uploads.save(upload.id, epoch, { offset: 9 })).toBe(true);
    proxy.cutCommit("after the server");
    const file = await uploads.finish(upload, { epoch });
    expect(await uploads.find(upload.id)).toMatchObject({
      state: "finished",
      fileId: file?.id ?? null,
    });
    return file;
  };
  expect(await expectSame("keepBoth")).toMatchObject({ key: parseKey("in/here/a (2).bin") });
  expect(await expectSame("skip")).toBeUndefined();
  const batch = await uploads.addBatch();
  await expectSame("refuse", batch);
  proxy.cutCommit("after the server");
  const result = await uploads.commit(batch);
  expect(await catalog.batchById(batch)).toMatchObject({ state: "committed", result });
  expect(await allKeys(catalog)).toEqual(
    ["a (2).bin", "a.bin"].map((name) => `in/here/${name}`).concat("site/in/here/a.bin"),
  );
});

test("an upload that repeats another one is finished although its commit did not reach the server", async () => {
  const uploads = createUploads(catalog);
  const whole = { isWhole: true, file: { sha256: parseSha256("ab".repeat(32)) } };
  const stored = await uploads.finish(await uploads.add(), whole);
  const again = await uploads.add();
  const epoch = await uploads.claim(again.id);
  proxy.cutCommit("before the server");
  expect(await uploads.finish(again, { ...whole, epoch })).toEqual(stored);
  expect(await uploads.find(again.id)).toMatchObject({
    state: "finished",
    fileId: stored?.id ?? null,
  });
});

test("a change whose outcome is unknown is reported as unavailable and not retried", async () => {
  proxy.cutCommit("after the server");
  await expectFault(catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a")), "unavailable");
  expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("a"))).toBeDefined();
  proxy.cutCommit("after the server");
  await expectFault(catalog.createFolder(COMMAND_EVERYWHERE, parseKey("b/c")), "unavailable");
  await expectFault(catalog.createFolder(COMMAND_EVERYWHERE, parseKey("b/c")), "conflict");
});
