import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { blobPath } from "../blobs/disk/disk-paths.ts";
import { LEASE_SECONDS } from "../catalog/port.ts";
import { parseKey } from "../rules/name.ts";
import type { BlobId } from "../rules/records.ts";
import { type FilesFixture, openFilesFixture, until } from "./files.fixture.ts";
import { createReaper } from "./reaper.ts";

let fixture: FilesFixture;
beforeEach(async () => {
  fixture = await openFilesFixture();
});
afterEach(() => fixture.end());

const openReaper = () =>
  createReaper({ ledger: fixture.catalog, blobs: fixture.blobs, onError: fixture.onError });
const condemned = () => fixture.catalog.condemnedBlobs(10_000);

/** Files of which each n-th has bytes. */
async function addFiles(count: number, nth = 1) {
  const allocator = fixture.createAllocator();
  const blobs: BlobId[] = [];
  for (let n = 0; n < count; n += 1) blobs.push(await allocator.take());
  for (const [n, id] of blobs.entries()) if (n % nth === 0) await fixture.store(id);
  return fixture.addFiles(allocator, blobs);
}

/** As a process does that dies right after the commit of a deletion. */
async function condemn(files: readonly { id: string }[]): Promise<BlobId[]> {
  const removed = await fixture.catalog.removeFiles(files.map(({ id }) => id));
  return removed.map(({ blobId }) => blobId);
}

test("what a dead process had condemned is gone after the next start", async () => {
  const files = await addFiles(5);
  const kept = files.slice(0, 2);
  const gone = await condemn(files.slice(2));
  await fixture.restart();
  expect((await condemned()).sort()).toEqual(gone.sort());
  expect(await fixture.stored()).toHaveLength(5);

  await openReaper().drain();
  expect(await condemned()).toEqual([]);
  expect(await fixture.stored()).toEqual(kept.map(({ blobId }) => blobId));
  expect(fixture.errors).toEqual([]);
});

test("more than a batch is drained, whether the bytes are there or not", async () => {
  await condemn(await addFiles(1201, 100));
  expect(await fixture.stored()).toHaveLength(13);
  await openReaper().drain();
  expect(await condemned()).toEqual([]);
  expect(await fixture.stored()).toEqual([]);
});

test("bytes that went before the crash are no error", async () => {
  const [file] = await addFiles(1);
  await condemn(file === undefined ? [] : [file]);
  await rm(fixture.blobFolder, { recursive: true });
  mkdirSync(fixture.blobFolder);
  await openReaper().drain();
  expect(await condemned()).toEqual([]);
  expect(fixture.errors).toEqual([]);
});

test("draining at once, and draining nothing, are fine", async () => {
  const reaper = openReaper();
  await reaper.drain();
  await condemn(await addFiles(10));
  await Promise.all([reaper.drain(), reaper.drain(), openReaper().drain()]);
  expect(await condemned()).toEqual([]);
  expect(await fixture.stored()).toEqual([]);
  await condemn(await addFiles(1));
  await reaper.drain();
  expect(await condemned()).toEqual([]);
  expect(fixture.errors).toEqual([]);
});

test("what is condemned while a draining ends goes with whoever asks then", async () => {
  const files = await addFiles(2);
  let late: Promise<void> | undefined;
  const ledger = {
    ...fixture.catalog,
    async condemnedBlobs(limit: number) {
      const found = await fixture.catalog.condemnedBlobs(limit);
      if (found.length === 0 && late === undefined) {
        // Another process, which this reaper does not hear of.
        await condemn(files);
        late = reaper.drain();
      }
      return found;
    },
  };
  const reaper = createReaper({ ledger, blobs: fixture.blobs, onError: fixture.onError });
  await reaper.drain();
  await late;
  expect(await condemned()).toEqual([]);
  expect(await fixture.stored()).toEqual([]);
});

/** 1,201 files in a folder and one inside it, which is then removed. */
async function removeLargeFolder(): Promise<void> {
  const files = await addFiles(1201, 100);
  const { id: parent } = await fixture.catalog.createFolder(parseKey("a"));
  const { id: inner } = await fixture.catalog.createFolder(parseKey("a/b"));
  await Promise.all(
    files.map(({ id }, n) =>
      fixture.catalog.changeFile({ id, folderId: n % 2 === 0 ? parent : inner }),
    ),
  );
  await fixture.catalog.removeFolder(parent);
}

test("removed folders are emptied, and their bytes go", async () => {
  await removeLargeFolder();
  expect(await condemned()).toEqual([]);
  expect(await fixture.stored()).toHaveLength(13);
  await openReaper().drain();
  expect(await fixture.catalog.emptyRemovedFolders(1)).toBe(false);
  expect(await condemned()).toEqual([]);
  expect(await fixture.stored()).toEqual([]);
});

test("removed folders are emptied also while their bytes are held", async () => {
  await removeLargeFolder();
  await fixture.catalog.startBackupHold("somebody");
  await openReaper().drain();
  expect(await fixture.catalog.emptyRemovedFolders(1)).toBe(false);
  expect(await condemned()).toHaveLength(1201);
  expect(await fixture.stored()).toHaveLength(13);
  await fixture.catalog.endBackupHold("somebody");
  await openReaper().drain();
  expect(await fixture.stored()).toEqual([]);
});

test("closing ends the emptying after a step, and the next start goes on with it", async () => {
  await removeLargeFolder();
  const reaper = openReaper();
  const draining = reaper.drain();
  await reaper.close();
  await draining;
  await reaper.drain();
  expect(await fixture.stored()).not.toEqual([]);
  await fixture.restart();
  await openReaper().drain();
  expect(await fixture.catalog.emptyRemovedFolders(1)).toBe(false);
  expect(await fixture.stored()).toEqual([]);
  expect(fixture.errors).toEqual([]);
});

test("a removal resolves when the bytes are gone, and is noted", async () => {
  const files = await addFiles(3);
  const gone = await condemn(files.slice(0, 2));
  await openReaper().remove(gone);
  expect(await fixture.stored()).toEqual(files.slice(2).map(({ blobId }) => blobId));
  await until(async () => (await condemned()).length === 0);
});

test("bytes that cannot be removed are reported, keep no others, and are tried again", async () => {
  const files = await addFiles(4);
  const [stuck = files[0]?.blobId ?? expect.unreachable()] = await condemn(files);
  const rest = files.slice(1).map(({ blobId }) => blobId);
  // A folder in the place of the blob cannot be unlinked.
  const path = blobPath(fixture.blobFolder, stuck);
  rmSync(path);
  mkdirSync(path);

  const reaper = openReaper();
  await reaper.remove(rest.slice(0, 1).concat(stuck));
  await until(async () => (await condemned()).length === 3);
  await reaper.drain();
  expect(await condemned()).toEqual([stuck]);
  expect(fixture.errors.length).toBeGreaterThan(0);
  expect(new Set(fixture.errors)).toEqual(
    new Set(["Bytes of deleted files were not removed; this is tried again"]),
  );

  rmSync(path, { recursive: true });
  await reaper.drain();
  expect(await condemned()).toEqual([]);
});

test("a catalog that is gone is reported, never thrown, and bytes that may be held stay", async () => {
  const [file] = await addFiles(1);
  const reaper = openReaper();
  await fixture.catalog.close();
  await reaper.drain();
  expect(fixture.errors).toHaveLength(1);
  await reaper.remove(file === undefined ? [] : [file.blobId]);
  expect(fixture.errors).toHaveLength(2);
  expect(await fixture.stored()).toEqual(file === undefined ? [] : [file.blobId]);
});

test("held bytes stay until the hold ends, whoever would remove them", async () => {
  const files = await addFiles(4);
  const blobs = files.map(({ blobId }) => blobId);
  await fixture.catalog.startBackupHold("backup");
  const reaper = openReaper();
  await reaper.remove(await condemn(files.slice(0, 2)));
  await condemn(files.slice(2, 3));
  await reaper.drain();
  expect(await fixture.stored()).toEqual(blobs);
  expect(await condemned()).toHaveLength(3);

  await fixture.catalog.endBackupHold("backup");
  await reaper.drain();
  expect(await fixture.stored()).toEqual(blobs.slice(3));
  expect(await condemned()).toEqual([]);
});

test("a hold whose owner is dead lapses", async () => {
  const [file] = await addFiles(1);
  await fixture.catalog.startBackupHold("backup");
  await condemn(file === undefined ? [] : [file]);
  fixture.age(LEASE_SECONDS + 5);
  await openReaper().drain();
  expect(await fixture.stored()).toEqual([]);
});
