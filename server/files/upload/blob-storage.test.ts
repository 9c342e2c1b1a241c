import { afterEach, beforeEach, expect, test } from "bun:test";
import { crc32 } from "node:zlib";
import { Fault } from "../../domain/faults/fault.ts";
import type { BlobId } from "../../domain/records.ts";
import { type FilesFixture, openFilesFixture } from "../files.fixture.ts";
import type { BlobIdAllocator } from "./blob-id-allocator.ts";
import { type BlobStorage, createBlobStorage, type StoredBlob } from "./blob-storage.ts";
import { createSpaceGuard } from "./free-space.ts";
import { chunksOf } from "./upload.fixture.ts";
import { createUploadHashes } from "./upload-hashes.ts";

let fixture: FilesFixture;
let blobIds: BlobIdAllocator;
let storage: BlobStorage;

beforeEach(async () => {
  fixture = await openFilesFixture();
  blobIds = fixture.createAllocator();
  const space = createSpaceGuard(fixture.blobs, () => 0);
  storage = createBlobStorage({
    blobs: fixture.blobs,
    blobIds,
    space,
    hashes: createUploadHashes(),
  });
});
afterEach(async () => {
  await blobIds.close();
  await fixture.end();
});

const CONTENT = "x".repeat(200_000);

async function store(content: string, max = 300_000): Promise<StoredBlob> {
  const claim = await storage.space.admit(0);
  const body = chunksOf(Buffer.from(content));
  const limits = { expected: 0, max, claim };
  return storage.store(body, limits).finally(() => claim.release());
}

/** Gives blobs their files, as a change of the catalog does. */
const addFiles = async (ids: readonly BlobId[]): Promise<readonly BlobId[]> => {
  await fixture.addFiles(blobIds, ids);
  return ids;
};

const same = (ids: readonly BlobId[]): readonly BlobId[] => ids;

/** The blobs of the store, once the allocator has closed and swept its blocks. */
async function storedAtEnd(): Promise<BlobId[]> {
  await blobIds.close();
  expect(fixture.leases()).toEqual([]);
  expect(fixture.errors).toEqual([]);
  return fixture.stored();
}

test("stores a body and returns its id, size and sums", async () => {
  const { id, sums, sealed } = await store(CONTENT);
  await sealed;
  expect(sums).toMatchObject({ size: CONTENT.length, checksum: crc32(CONTENT) });
  expect(
    await storage.commitFiles([{ id, writer: undefined }], () => addFiles([id]), same),
  ).toEqual([id]);
  expect(await storedAtEnd()).toEqual([id]);
});

test("removes a body that is too large", async () => {
  await expect(store(CONTENT, CONTENT.length - 1)).rejects.toMatchObject({ kind: "too_large" });
  expect(await fixture.stored()).toEqual([]);
  expect(await storedAtEnd()).toEqual([]);
});

test("removes the blobs that the result of the change does not have", async () => {
  const [kept, skipped] = [await store("kept"), await store("skipped")];
  await storage.commitFiles([kept, skipped], () => addFiles([kept.id]), same);
  expect(await fixture.stored()).toEqual([kept.id]);
  expect(await storedAtEnd()).toEqual([kept.id]);
});

test("removes blobs whose change was refused", async () => {
  const copied = await store("copied");
  await storage.commitFiles([copied], () => addFiles([copied.id]), same);
  const pieces = [{ blobId: copied.id, start: 0, end: 6 }];
  const blobs = [await store("stored"), await storage.assemble(pieces)];
  const refused = new Fault("conflict", "The name is taken.");
  const change = () => Promise.reject(refused);
  expect(await storage.commitFiles(blobs, change, same).catch((error: unknown) => error)).toBe(
    refused,
  );
  expect(await fixture.stored()).toEqual([copied.id]);
  expect(await storedAtEnd()).toEqual([copied.id]);
});

test("leaves blobs to the sweep if their change may have been committed", async () => {
  const [committed, lost] = [await store("committed"), await store("lost")];
  const failed = new Fault("unavailable", "The connection broke.");
  const change = async () => {
    await fixture.addFiles(blobIds, [committed.id]);
    throw failed;
  };
  expect(await storage.commit([committed, lost], change).catch((error: unknown) => error)).toBe(
    failed,
  );
  expect(await storedAtEnd()).toEqual([committed.id]);
});
