import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { blobPath, blockPath } from "../../blobs/disk/disk-paths.ts";
import { LEASE_SECONDS } from "../../catalog/port/blob-ledger.ts";
import { blobId } from "../../domain/blob-id.ts";
import { ROOT_KEY } from "../../domain/names/name.ts";
import { until } from "../files.fixture.ts";
import { chunksOf, openUploadFixture, type UploadFixture } from "./upload.fixture.ts";

let uploads: UploadFixture;
beforeEach(async () => {
  uploads = await openUploadFixture();
});
afterEach(() => uploads.end());

const content = () => chunksOf(Buffer.from("content"));

test("an aborted body leaves nothing behind", async () => {
  const aborted = new Error("aborted");
  async function* body(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(100_000);
    throw aborted;
  }
  const outcome = await uploads
    .upload({ first: content(), second: body() })
    .catch((error: unknown) => error);
  expect(outcome).toBe(aborted);
  expect(await uploads.fixture.stored()).toEqual([]);
  await uploads.expectNoLeaks();
});

test("when the fsync of one file fails, no file of the request becomes visible", async () => {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(10);
    // Removes the block's folder, so that fsync fails.
    for (const { block } of uploads.fixture.leases()) {
      rmSync(blockPath(uploads.fixture.blobFolder, block), { recursive: true });
    }
  }
  const outcome = await uploads
    .upload({ intact: content(), unsynced: body() })
    .catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(Error);
  expect(await uploads.keys()).toEqual([]);
  expect(await uploads.fixture.stored()).toEqual([]);
  await uploads.expectNoLeaks();
});

test("every end of a session releases the claimed space", async () => {
  const expected = Math.floor(((await uploads.fixture.blobs.freeSpace()) ?? 0) * 0.6);
  const committed = await uploads.beginUpload(expected);
  await committed.add("a", undefined, content());
  await committed.commit({ folder: ROOT_KEY });
  const conflicting = await uploads.beginUpload(expected);
  await conflicting.add("a", undefined, content());
  await expect(conflicting.commit({ folder: ROOT_KEY })).rejects.toMatchObject({
    kind: "conflict",
  });
  await (await uploads.beginUpload(expected)).abort();
  const invalid = await uploads.beginUpload(expected);
  await expect(invalid.add("..", undefined, content())).rejects.toMatchObject({ kind: "invalid" });
  await invalid.abort();
  await (await uploads.beginUpload(expected)).abort();
});

test("an upload whose lease has expired is rejected and swept, and a retry succeeds", async () => {
  const session = await uploads.beginUpload(0);
  await session.add("a", undefined, content());
  uploads.fixture.age(LEASE_SECONDS + 1);
  await uploads.fixture.catalog.releaseExpiredLeases();
  const outcome = await session.commit({ folder: ROOT_KEY }).catch((error: unknown) => error);
  expect(outcome).toMatchObject({ kind: "unavailable" });
  await until(
    async () =>
      (await uploads.fixture.stored()).length === 0 && uploads.fixture.leases().length === 0,
  );
  const [added] = await uploads.upload({ a: "content" });
  expect(await uploads.textOf(added)).toBe("content");
  expect(uploads.fixture.errors).toEqual([]);
});

test("if the catalog is unavailable, the blob is left for the sweep of the next start", async () => {
  const session = await uploads.beginUpload(0);
  await session.add("a", undefined, content());
  await uploads.fixture.catalog.close();
  const outcome = await session.commit({ folder: ROOT_KEY }).catch((error: unknown) => error);
  expect(outcome).toMatchObject({ kind: "unavailable" });
  await until(() => uploads.fixture.errors.length === 1);
  expect(uploads.fixture.leases()).toHaveLength(1);
});

test("when the store rejects one of several files, none is kept", async () => {
  await uploads.upload({ first: "content" });
  const [{ block } = { block: -1 }] = uploads.fixture.leases();
  // The third blob id of the block is already in use.
  mkdirSync(blobPath(uploads.fixture.blobFolder, blobId(block, 2)));
  const outcome = await uploads
    .upload({ a: "content", b: "content", c: "content" })
    .catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(Error);
  expect(await uploads.keys()).toEqual(["first"]);
  expect(await uploads.fixture.stored()).toEqual([blobId(block, 0), blobId(block, 2)]);
  const [added] = await uploads.upload({ a: "content" });
  expect(await uploads.textOf(added)).toBe("content");
});
