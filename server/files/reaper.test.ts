import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { blobPath } from "../blobs/disk/disk-paths.ts";
import { LEASE_SECONDS } from "../catalog/port.ts";
import { parseKey } from "../rules/name.ts";
import type { BlobId } from "../rules/records.ts";
import { type Bed, openBed, until } from "./bed.fixture.ts";
import { createReaper } from "./reaper.ts";

let bed: Bed;
beforeEach(async () => {
  bed = await openBed();
});
afterEach(() => bed.end());

const openReaper = () =>
  createReaper({ ledger: bed.catalog, blobs: bed.blobs, onError: bed.onError });
const condemned = () => bed.catalog.condemnedBlobs(10_000);

/** Files of which each n-th has bytes. */
async function addFiles(count: number, nth = 1) {
  const desk = bed.createDesk();
  const blobs: BlobId[] = [];
  for (let n = 0; n < count; n += 1) blobs.push(await desk.take());
  for (const [n, id] of blobs.entries()) if (n % nth === 0) await bed.store(id);
  return bed.addFiles(desk, blobs);
}

/** As a process does that dies right after the commit of a deletion. */
async function condemn(files: readonly { id: string }[]): Promise<BlobId[]> {
  const removed = await bed.catalog.removeFiles(files.map(({ id }) => id));
  return removed.map(({ blobId }) => blobId);
}

test("what a dead process had condemned is gone after the next start", async () => {
  const files = await addFiles(5);
  const kept = files.slice(0, 2);
  const gone = await condemn(files.slice(2));
  await bed.restart();
  expect((await condemned()).sort()).toEqual(gone.sort());
  expect(await bed.stored()).toHaveLength(5);

  await openReaper().drain();
  expect(await condemned()).toEqual([]);
  expect(await bed.stored()).toEqual(kept.map(({ blobId }) => blobId));
  expect(bed.errors).toEqual([]);
});

test("more than a batch is drained, whether the bytes are there or not", async () => {
  await condemn(await addFiles(1201, 100));
  expect(await bed.stored()).toHaveLength(13);
  await openReaper().drain();
  expect(await condemned()).toEqual([]);
  expect(await bed.stored()).toEqual([]);
});

test("bytes that went before the crash are no error", async () => {
  const [file] = await addFiles(1);
  await condemn(file === undefined ? [] : [file]);
  await rm(bed.blobFolder, { recursive: true });
  mkdirSync(bed.blobFolder);
  await openReaper().drain();
  expect(await condemned()).toEqual([]);
  expect(bed.errors).toEqual([]);
});

test("draining at once, and draining nothing, are fine", async () => {
  const reaper = openReaper();
  await reaper.drain();
  await condemn(await addFiles(10));
  await Promise.all([reaper.drain(), reaper.drain(), openReaper().drain()]);
  expect(await condemned()).toEqual([]);
  expect(await bed.stored()).toEqual([]);
  await condemn(await addFiles(1));
  await reaper.drain();
  expect(await condemned()).toEqual([]);
  expect(bed.errors).toEqual([]);
});

test("what is condemned while a draining ends goes with whoever asks then", async () => {
  const files = await addFiles(2);
  let late: Promise<void> | undefined;
  const ledger = {
    ...bed.catalog,
    async condemnedBlobs(limit: number) {
      const found = await bed.catalog.condemnedBlobs(limit);
      if (found.length === 0 && late === undefined) {
        // Another process, which this reaper does not hear of.
        await condemn(files);
        late = reaper.drain();
      }
      return found;
    },
  };
  const reaper = createReaper({ ledger, blobs: bed.blobs, onError: bed.onError });
  await reaper.drain();
  await late;
  expect(await condemned()).toEqual([]);
  expect(await bed.stored()).toEqual([]);
});

/** 1,201 files in a folder and one inside it, which is then removed. */
async function removeLargeFolder(): Promise<void> {
  const files = await addFiles(1201, 100);
  const { id: parent } = await bed.catalog.createFolder(parseKey("a"));
  const { id: inner } = await bed.catalog.createFolder(parseKey("a/b"));
  await Promise.all(
    files.map(({ id }, n) =>
      bed.catalog.changeFile({ id, folderId: n % 2 === 0 ? parent : inner }),
    ),
  );
  await bed.catalog.removeFolder(parent);
}

test("removed folders are emptied, and their bytes go", async () => {
  await removeLargeFolder();
  expect(await condemned()).toEqual([]);
  expect(await bed.stored()).toHaveLength(13);
  await openReaper().drain();
  expect(await bed.catalog.emptyRemovedFolders(1)).toBe(false);
  expect(await condemned()).toEqual([]);
  expect(await bed.stored()).toEqual([]);
});

test("removed folders are emptied also while their bytes are held", async () => {
  await removeLargeFolder();
  await bed.catalog.startBackupHold("somebody");
  await openReaper().drain();
  expect(await bed.catalog.emptyRemovedFolders(1)).toBe(false);
  expect(await condemned()).toHaveLength(1201);
  expect(await bed.stored()).toHaveLength(13);
  await bed.catalog.endBackupHold("somebody");
  await openReaper().drain();
  expect(await bed.stored()).toEqual([]);
});

test("closing ends the emptying after a step, and the next start goes on with it", async () => {
  await removeLargeFolder();
  const reaper = openReaper();
  const draining = reaper.drain();
  await reaper.close();
  await draining;
  await reaper.drain();
  expect(await bed.stored()).not.toEqual([]);
  await bed.restart();
  await openReaper().drain();
  expect(await bed.catalog.emptyRemovedFolders(1)).toBe(false);
  expect(await bed.stored()).toEqual([]);
  expect(bed.errors).toEqual([]);
});

test("a removal resolves when the bytes are gone, and is noted", async () => {
  const files = await addFiles(3);
  const gone = await condemn(files.slice(0, 2));
  await openReaper().remove(gone);
  expect(await bed.stored()).toEqual(files.slice(2).map(({ blobId }) => blobId));
  await until(async () => (await condemned()).length === 0);
});

test("bytes that cannot be removed are reported, keep no others, and are tried again", async () => {
  const files = await addFiles(4);
  const [stuck = files[0]?.blobId ?? expect.unreachable()] = await condemn(files);
  const rest = files.slice(1).map(({ blobId }) => blobId);
  // A folder in the place of the blob cannot be unlinked.
  const path = blobPath(bed.blobFolder, stuck);
  rmSync(path);
  mkdirSync(path);

  const reaper = openReaper();
  await reaper.remove(rest.slice(0, 1).concat(stuck));
  await until(async () => (await condemned()).length === 3);
  await reaper.drain();
  expect(await condemned()).toEqual([stuck]);
  expect(bed.errors.length).toBeGreaterThan(0);
  expect(new Set(bed.errors)).toEqual(
    new Set(["Bytes of deleted files were not removed; this is tried again"]),
  );

  rmSync(path, { recursive: true });
  await reaper.drain();
  expect(await condemned()).toEqual([]);
});

test("a catalog that is gone is reported, never thrown, and bytes that may be held stay", async () => {
  const [file] = await addFiles(1);
  const reaper = openReaper();
  await bed.catalog.close();
  await reaper.drain();
  expect(bed.errors).toHaveLength(1);
  await reaper.remove(file === undefined ? [] : [file.blobId]);
  expect(bed.errors).toHaveLength(2);
  expect(await bed.stored()).toEqual(file === undefined ? [] : [file.blobId]);
});

test("held bytes stay until the hold ends, whoever would remove them", async () => {
  const files = await addFiles(4);
  const blobs = files.map(({ blobId }) => blobId);
  await bed.catalog.startBackupHold("backup");
  const reaper = openReaper();
  await reaper.remove(await condemn(files.slice(0, 2)));
  await condemn(files.slice(2, 3));
  await reaper.drain();
  expect(await bed.stored()).toEqual(blobs);
  expect(await condemned()).toHaveLength(3);

  await bed.catalog.endBackupHold("backup");
  await reaper.drain();
  expect(await bed.stored()).toEqual(blobs.slice(3));
  expect(await condemned()).toEqual([]);
});

test("a hold whose owner is dead lapses", async () => {
  const [file] = await addFiles(1);
  await bed.catalog.startBackupHold("backup");
  await condemn(file === undefined ? [] : [file]);
  bed.age(LEASE_SECONDS + 5);
  await openReaper().drain();
  expect(await bed.stored()).toEqual([]);
});
