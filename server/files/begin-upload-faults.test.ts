import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { blobPath, blockPath } from "../blobs/disk/disk-paths.ts";
import { LEASE_SECONDS } from "../catalog/port.ts";
import { blobId } from "../rules/blob-id.ts";
import { ROOT_KEY } from "../rules/name.ts";
import { until } from "./files.fixture.ts";
import { chunksOf, openUploadFixture, type UploadFixture } from "./upload.fixture.ts";

let uploads: UploadFixture;
beforeEach(async () => {
  uploads = await openUploadFixture();
});
afterEach(() => uploads.end());

const content = () => chunksOf(Buffer.from("content"));

test("a body that breaks off leaves nothing behind", async () => {
  const gone = new Error("gone");
  async function* body(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(100_000);
    throw gone;
  }
  const outcome = await uploads
    .upload({ first: content(), second: body() })
    .catch((error: unknown) => error);
  expect(outcome).toBe(gone);
  expect(await uploads.fixture.stored()).toEqual([]);
  await uploads.expectNoTrouble();
});

test("a file whose fsync fails makes no file of its request visible", async () => {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(10);
    // Removes its folder, so that it cannot be synced.
    for (const { block } of uploads.fixture.leases()) {
      rmSync(blockPath(uploads.fixture.blobFolder, block), { recursive: true });
    }
  }
  const outcome = await uploads
    .upload({ whole: content(), lost: body() })
    .catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(Error);
  expect(await uploads.keys()).toEqual([]);
  expect(await uploads.fixture.stored()).toEqual([]);
  await uploads.expectNoTrouble();
});

test("the claimed space is released, however the session ends", async () => {
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

test("an upload whose lease has lapsed is refused and swept, and a retry succeeds", async () => {
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

test("an unavailable catalog leaves the blob to the next start", async () => {
  const session = await uploads.beginUpload(0);
  await session.add("a", undefined, content());
  await uploads.fixture.catalog.close();
  const outcome = await session.commit({ folder: ROOT_KEY }).catch((error: unknown) => error);
  expect(outcome).toMatchObject({ kind: "unavailable" });
  await until(() => uploads.fixture.errors.length === 1);
  expect(uploads.fixture.leases()).toHaveLength(1);
});

test("a store that refuses one file of several keeps none of them", async () => {
  await uploads.upload({ first: "content" });
  const [{ block } = { block: -1 }] = uploads.fixture.leases();
  // The id of the third blob is taken.
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
