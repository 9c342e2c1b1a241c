import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { blobPath } from "../blobs/disk/disk-paths.ts";
import { LEASE_SECONDS } from "../catalog/port/blob-ledger.ts";
import { COMMAND_EVERYWHERE } from "../domain/callers/caller.ts";
import { parseKey } from "../domain/names/name.ts";
import type { BlobId } from "../domain/records.ts";
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

/** Adds files, of which every `nth` has a blob in the store. */
async function addFiles(count: number, nth = 1) {
  const allocator = fixture.createAllocator();
  const blobs: BlobId[] = [];
  for (let n = 0; n < count; n += 1) blobs.push(await allocator.take());
  for (const [n, id] of blobs.entries()) if (n % nth === 0) await fixture.store(id);
  const files = await fixture.addFiles(allocator, blobs);
  for (const id of blobs) allocator.markCommitted(id);
  await allocator.close();
  return files;
}

/** Deletes records only, like a process that dies right after the commit of a deletion. */
async function condemn(files: readonly { id: string }[]): Promise<BlobId[]> {
  const removed = await fixture.catalog.removeFiles(
    COMMAND_EVERYWHERE,
    files.map(({ id }) => id),
  );
  return removed.map(({ blobId }) => blobId);
}

test("the next start removes the condemned blobs of a dead process", async () => {
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

test("drains more than one batch, with missing blobs among them", async () => {
  await condemn(await addFiles(1201, 100));
  expect(await fixture.stored()).toHaveLength(13);
  await openReaper().drain();
  expect(await condemned()).toEqual([]);
  expect(await fixture.stored()).toEqual([]);
});

test("a missing blob is not an error", async () => {
  const [file] = await addFiles(1);
  await condemn(file === undefined ? [] : [file]);
  await rm(fixture.blobFolder, { recursive: true });
  mkdirSync(fixture.blobFolder);
  await openReaper().drain();
  expect(await condemned()).toEqual([]);
  expect(fixture.errors).toEqual([]);
});

test("concurrent drains and a drain with nothing to remove succeed", async () => {
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

test("a drain that is requested while another one ends removes what was condemned meanwhile", async () => {
  const files = await addFiles(2);
  let late: Promise<void> | undefined;
  const ledger = {
    ...fixture.catalog,
    async condemnedBlobs(limit: number) {
      const found = await fixture.catalog.condemnedBlobs(limit);
      if (found.length === 0 && late === undefined) {
        // Done by another process, without notice to this reaper.
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

/** Removes a folder with 1,201 files in it and in a subfolder. */
async function removeLargeFolder(): Promise<void> {
  const files = await addFiles(1201, 100);
  const { id: parent } = await fixture.catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a"));
  const { id: inner } = await fixture.catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a/b"));
  await Promise.all(
    files.map(({ id }, n) =>
      fixture.catalog.changeFile(COMMAND_EVERYWHERE, {
        id,
        folderId: n % 2 === 0 ? parent : inner,
      }),
    ),
  );
  await fixture.catalog.removeFolder(COMMAND_EVERYWHERE, parent);
}

test("drain empties removed folders and removes their blobs", async () => {
  await removeLargeFolder();
  expect(await condemned()).toEqual([]);
  expect(await fixture.stored()).toHaveLength(13);
  await openReaper().drain();
  expect(await fixture.catalog.emptyRemovedFolders(1)).toBe(false);
  expect(await condemned()).toEqual([]);
  expect(await fixture.stored()).toEqual([]);
});

test("drain empties removed folders during a backup hold, which keeps their blobs", async () => {
  await removeLargeFolder();
  await fixture.catalog.startBackupHold("backup");
  await openReaper().drain();
  expect(await fixture.catalog.emptyRemovedFolders(1)).toBe(false);
  expect(await condemned()).toHaveLength(1201);
  expect(await fixture.stored()).toHaveLength(13);
  await fixture.catalog.endBackupHold("backup");
  await openReaper().drain();
  expect(await fixture.stored()).toEqual([]);
});

test("close ends drain after the current batch, and the next start continues it", async () => {
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

test("remove resolves when the blobs are removed, and forgets them", async () => {
  const files = await addFiles(3);
  const gone = await condemn(files.slice(0, 2));
  await openReaper().remove(gone);
  expect(await fixture.stored()).toEqual(files.slice(2).map(({ blobId }) => blobId));
  await until(async () => (await condemned()).length === 0);
});

test("a blob that cannot be removed is reported, does not affect others, and is retried", async () => {
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
    new Set(["Could not remove blobs of deleted files; this will be retried"]),
  );

  rmSync(path, { recursive: true });
  await reaper.drain();
  expect(await condemned()).toEqual([]);
});

test("with the catalog unavailable, errors are reported, nothing throws and no blob is removed", async () => {
  const [file] = await addFiles(1);
  const reaper = openReaper();
  await fixture.catalog.close();
  await reaper.drain();
  expect(fixture.errors).toHaveLength(1);
  await reaper.remove(file === undefined ? [] : [file.blobId]);
  expect(fixture.errors).toHaveLength(2);
  expect(await fixture.stored()).toEqual(file === undefined ? [] : [file.blobId]);
});

test("a backup hold keeps condemned blobs until it ends", async () => {
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

test("the backup hold of a dead process expires", async () => {
  const [file] = await addFiles(1);
  await fixture.catalog.startBackupHold("backup");
  await condemn(file === undefined ? [] : [file]);
  fixture.age(LEASE_SECONDS + 5);
  await openReaper().drain();
  expect(await fixture.stored()).toEqual([]);
});

test("a condemned blob that a file refers to is damage, and stays", async () => {
  const files = await addFiles(3);
  const [gone = -1] = await condemn(files.slice(2));
  const database = new Database(join(dirname(fixture.blobFolder), "catalog.sqlite"));
  // As after a flipped bit in the row.
  database.run("UPDATE condemned SET blob_id = ? WHERE blob_id = ?", [
    files[1]?.blobId ?? -1,
    gone,
  ]);
  database.close();
  await openReaper().drain();
  expect(await fixture.stored()).toEqual(files.map(({ blobId }) => blobId));
  expect(await condemned()).toEqual([]);
  const defects = await Array.fromAsync(fixture.catalog.inspect(), ({ problem }) => problem);
  expect(defects).toEqual(["condemned"]);
});

test("a deleted record that names the blob of another file removes no bytes of it", async () => {
  const files = await addFiles(3);
  const [first, , last] = files;
  if (first === undefined) throw new Error("No file.");
  const blob = first.blobId;
  // As after a flipped bit in a record, whose deletion condemns the blob that it names.
  await condemn(files.slice(2));
  const database = new Database(join(dirname(fixture.blobFolder), "catalog.sqlite"));
  database.run("UPDATE condemned SET blob_id = ? WHERE blob_id = ?", [blob, last?.blobId ?? -1]);
  database.close();
  await openReaper().remove([blob]);
  expect(await fixture.stored()).toEqual(files.map(({ blobId }) => blobId));

  // The file can still be deleted, and then its bytes go.
  await condemn(files.slice(0, 1));
  await openReaper().drain();
  expect(await fixture.stored()).toEqual(files.slice(1).map(({ blobId }) => blobId));
});
