import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Blobs } from "../../blobs/port.ts";
import { expectFault } from "../../catalog/suite/catalog.fixture.ts";
import { AUTHORIZED_COMMAND } from "../../domain/callers/authorize.ts";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { ConnectionClosed } from "../../domain/faults/connection-closed.ts";
import { parseName, ROOT_KEY } from "../../domain/names/name.ts";
import type { FileRecord } from "../../domain/records.ts";
import { type FilesFixture, openFilesFixture, until } from "../files.fixture.ts";
import { createQuotaGuard } from "../quotas/quota-guard.ts";
import type { BlobIdAllocator } from "../upload/blob-id-allocator.ts";
import { createBlobStorage } from "../upload/blob-storage.ts";
import { createSpaceGuard } from "../upload/free-space.ts";
import { createUploadHashes } from "../upload/upload-hashes.ts";
import { createSlots } from "./copy-blobs.ts";
import { createCopyService } from "./copy-service.ts";

let fixture: FilesFixture;
let allocator: BlobIdAllocator;
beforeEach(async () => {
  fixture = await openFilesFixture();
  allocator = fixture.createAllocator();
});
afterEach(async () => {
  await allocator.close();
  await fixture.end();
});

const settings = () => ({ trashDays: 0, trashDeletions: false, keepVersions: false });

function copies(blobs: Blobs = fixture.blobs, reserve = 0) {
  const parts = {
    settings,
    storage: createBlobStorage({
      blobs,
      blobIds: allocator,
      space: createSpaceGuard(blobs, () => reserve),
      hashes: createUploadHashes(),
    }),
    inSlot: createSlots(8),
    onReplaced: () => {},
    quotaGuard: createQuotaGuard(fixture.catalog, settings),
  };
  return createCopyService(parts, fixture.catalog);
}

async function storeFiles(count: number): Promise<FileRecord[]> {
  const ids = await Promise.all(Array.from({ length: count }, () => allocator.take()));
  for (const id of ids) await fixture.store(id);
  const files = await fixture.addFiles(allocator, ids);
  for (const id of ids) allocator.markCommitted(id);
  return files;
}

const duplicates = (files: readonly FileRecord[]) =>
  ({ ids: files.map(({ id }) => id), onConflict: "keepBoth" }) as const;

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

/** The store, which calls `before` with the number of each copy. */
const withHook = (blobs: Blobs, before: (copy: number) => Promise<void>): Blobs => {
  let count = 0;
  return {
    ...blobs,
    async assemble(id, pieces) {
      count += 1;
      await before(count);
      return blobs.assemble(id, pieces);
    },
  };
};

test("a kill during a copy leaves the files as they were, and the sweep removes what was copied", async () => {
  const files = await storeFiles(20);
  const kept = await fixture.stored();
  let reached = 0;
  const stuck = withHook(fixture.blobs, (copy) => {
    reached = copy;
    return copy > 9 ? new Promise<void>(() => {}) : Promise.resolve();
  });
  void copies(stuck).files(AUTHORIZED_COMMAND, duplicates(files));
  await until(async () => reached > 12 && (await fixture.stored()).length === 29);
  await fixture.restart();
  await fixture.createSweep().expired();
  expect(await fixture.stored()).toEqual(kept);
  for (const file of files)
    expect(await fixture.catalog.fileById(COMMAND_EVERYWHERE, file.id)).toEqual(file);
  expect(await Array.fromAsync(fixture.catalog.inspect())).toEqual([]);
  allocator = fixture.createAllocator();
  expect(await copies().files(AUTHORIZED_COMMAND, duplicates(files))).toHaveLength(20);
});

test("a failed copy removes the blobs that it has made", async () => {
  const files = await storeFiles(20);
  const kept = await fixture.stored();
  const failing = withHook(fixture.blobs, async (copy) => {
    if (copy === 11) throw new Error("The disk is broken.");
  });
  expect(await errorOf(copies(failing).files(AUTHORIZED_COMMAND, duplicates(files)))).toMatchObject(
    {
      message: "The disk is broken.",
    },
  );
  await until(async () => (await fixture.stored()).length === kept.length);
});

test("no more space than is free is used", async () => {
  const files = await storeFiles(1);
  const reserve = Number.MAX_SAFE_INTEGER;
  await expectFault(
    copies(fixture.blobs, reserve).files(AUTHORIZED_COMMAND, duplicates(files)),
    "no_space",
  );
});

test("a closed connection or credentials that have ended stop the copy", async () => {
  const files = await storeFiles(3);
  const kept = await fixture.stored();
  const beforeCommit = async () => {
    throw new Error("The key was revoked.");
  };
  const ended = new AbortController();
  ended.abort();
  const gone = copies().files(AUTHORIZED_COMMAND, duplicates(files), {
    signal: ended.signal,
    beforeCommit,
  });
  // Nothing that the activity log should call a failure.
  expect(await errorOf(gone)).toBeInstanceOf(ConnectionClosed);
  const { signal } = new AbortController();
  const revoked = copies().files(AUTHORIZED_COMMAND, duplicates(files), { signal, beforeCommit });
  expect(await errorOf(revoked)).toMatchObject({ message: "The key was revoked." });
  expect(await fixture.stored()).toEqual(kept);
});

test("a file that is replaced while it is copied is copied again; one that is deleted is missing", async () => {
  const files = await storeFiles(2);
  const [first, second] = files;
  const newer = await allocator.take();
  await fixture.store(newer, "newer");
  const replacing = withHook(fixture.blobs, async (copy) => {
    if (copy !== 2 || first === undefined) return;
    await fixture.catalog.addFiles(COMMAND_EVERYWHERE, {
      folder: ROOT_KEY,
      files: [{ ...first, blobId: newer }],
      visibility: undefined,
      defaultVisibility: "public",
      owner: allocator.owner,
      onConflict: "replace",
      keepReplacedMs: undefined,
    });
    allocator.markCommitted(newer);
  });
  const made = await copies(replacing).files(AUTHORIZED_COMMAND, duplicates(files));
  const body = await fixture.blobs.read(made[0]?.blobId ?? newer, 5);
  expect(await new Response(body).text()).toBe("newer");

  const deleting = withHook(fixture.blobs, async (copy) => {
    if (copy === 1) await fixture.catalog.removeFiles(COMMAND_EVERYWHERE, [second?.id ?? ""]);
  });
  await expectFault(copies(deleting).files(AUTHORIZED_COMMAND, duplicates(files)), "not_found");
});

test("a content that is lost stops the copy with a reason", async () => {
  const [file] = await storeFiles(1);
  await fixture.blobs.remove(file === undefined ? [] : [file.blobId]);
  const { id = "" } = file ?? {};
  const name = parseName("copy");
  const copy = copies().files(AUTHORIZED_COMMAND, { ids: [id], name, onConflict: "refuse" });
  await expectFault(copy, "unavailable", "missing");
});
