import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { blockPath } from "../blobs/disk/disk-paths.ts";
import type { BlobWriter } from "../blobs/port.ts";
import { LEASE_SECONDS } from "../catalog/port/blob-ledger.ts";
import { blockOf } from "../domain/blob-id.ts";
import { COMMAND_EVERYWHERE } from "../domain/callers/caller.ts";
import type { BlobId } from "../domain/records.ts";
import { type FilesFixture, openFilesFixture } from "./files.fixture.ts";

let fixture: FilesFixture;
beforeEach(async () => {
  fixture = await openFilesFixture();
});
afterEach(() => fixture.end());

const sweepBlock = (block: number) => fixture.createSweep().block(block);
const sweepAll = () => fixture.createSweep().expired();

/** Stores blobs without records in a new block. */
async function storeOrphans(count: number): Promise<BlobId[]> {
  const allocator = fixture.createAllocator();
  const ids: BlobId[] = [];
  for (let n = 0; n < count; n += 1) ids.push(await allocator.take());
  for (const id of ids) await fixture.store(id);
  return ids;
}

type State = "absent" | "orphaned" | "incomplete" | "file" | "condemned" | "forgotten";
const anyStates = fc.array(
  fc.constantFrom<State>("absent", "orphaned", "incomplete", "file", "condemned", "forgotten"),
  { minLength: 1, maxLength: 20 },
);

test("a sweep removes exactly the blobs that are neither a file's nor condemned", async () => {
  await fc.assert(
    fc.asyncProperty(anyStates, async (states) => {
      const allocator = fixture.createAllocator();
      const before = await fixture.stored();
      const writers: BlobWriter[] = [];
      const of = new Map<State, BlobId[]>();
      for (const state of states) {
        const id = await allocator.take();
        of.set(state, [...(of.get(state) ?? []), id]);
        if (state === "incomplete") writers.push(await fixture.blobs.create(id));
        else if (state !== "absent") await fixture.store(id);
      }
      const all = (state: State): BlobId[] => of.get(state) ?? [];
      const gone = [...all("condemned"), ...all("forgotten")];
      const files = await fixture.addFiles(allocator, [...all("file"), ...gone]);
      const remove = files.filter(({ blobId }) => gone.includes(blobId));
      await fixture.catalog.removeFiles(
        COMMAND_EVERYWHERE,
        remove.map(({ id }) => id),
      );
      await fixture.catalog.forgetCondemnedBlobs(all("forgotten"));

      const [{ block } = { block: -1 }] = fixture.leases();
      const orphans = [...all("orphaned"), ...all("incomplete"), ...all("forgotten")];
      expect(await sweepBlock(block)).toBe(orphans.length);
      const kept = [...before, ...all("file"), ...all("condemned")].sort((a, b) => a - b);
      expect(await fixture.stored()).toEqual(kept);
      expect(fixture.leases()).toEqual([]);
      expect(await sweepBlock(block)).toBe(0);
      for (const writer of writers) await writer.discard();
      expect(await fixture.stored()).toEqual(kept);
    }),
    { numRuns: 15 },
  );
});

test("a sweep of one block does not change others", async () => {
  const [mine = 0] = (await storeOrphans(2)).map(blockOf);
  const others = await storeOrphans(2);
  expect(await sweepBlock(mine)).toBe(2);
  expect(await fixture.stored()).toEqual(others);
  expect(fixture.leases().map(({ block }) => block)).toEqual(others.slice(1).map(blockOf));
});

test("a sweep of a block without blobs ends its lease and removes its folder", async () => {
  const allocator = fixture.createAllocator();
  await allocator.take();
  const ids = await storeOrphans(1);
  for (const { block } of fixture.leases()) await sweepBlock(block);
  expect(fixture.leases()).toEqual([]);
  expect(ids).toHaveLength(1);
  expect(await readdir(fixture.blobFolder)).toEqual([]);
});

test("a sweep removes the empty folder of a block", async () => {
  const allocator = fixture.createAllocator();
  const block = blockOf(await allocator.take());
  mkdirSync(blockPath(fixture.blobFolder, block));
  await fixture.restart();
  expect(await sweepAll()).toBe(0);
  expect(await readdir(fixture.blobFolder)).toEqual([]);
  expect(fixture.leases()).toEqual([]);
});

test("a sweep after a restart removes the orphans of dead processes and none of live ones", async () => {
  const allocator = fixture.createAllocator();
  const file = await allocator.take();
  await fixture.store(file);
  await fixture.addFiles(allocator, [file]);
  const sameBlock = await allocator.take();
  await fixture.store(sameBlock);
  await storeOrphans(3);
  expect(await sweepAll()).toBe(0);

  await fixture.restart();
  const live = await storeOrphans(2);
  expect(await sweepAll()).toBe(4);
  expect(await fixture.stored()).toEqual([file, ...live].sort((a, b) => a - b));
  expect(new Set(fixture.leases().map(({ block }) => block))).toEqual(new Set(live.map(blockOf)));
  expect(await sweepAll()).toBe(0);
});

test("a block with an expired lease is swept, and its owner can no longer commit its blobs", async () => {
  const allocator = fixture.createAllocator();
  const id = await allocator.take();
  await fixture.store(id);
  fixture.age(LEASE_SECONDS + 1);
  expect(await sweepAll()).toBe(1);
  expect(await fixture.stored()).toEqual([]);
  const outcome = await fixture.addFiles(allocator, [id]).catch((error: unknown) => error);
  expect(outcome).toMatchObject({ kind: "unavailable" });
});

test("a block that cannot be swept does not stop the sweep of others, and is retried", async () => {
  const ids = [...(await storeOrphans(1)), ...(await storeOrphans(1))].sort((a, b) => a - b);
  const blocks = ids.map(blockOf);
  const [block = -1] = blocks;
  // A folder in place of a blob cannot be unlinked.
  const obstacle = join(blockPath(fixture.blobFolder, block), "ff");
  mkdirSync(obstacle);
  await fixture.restart();

  expect(await sweepAll()).toBe(1);
  expect(fixture.errors).toEqual(["Could not sweep a blob block; this will be retried"]);
  expect(fixture.leases().map((left) => left.block)).toEqual([block]);
  expect((await fixture.stored()).map(blockOf)).not.toContain(blocks[1]);

  rmSync(obstacle, { recursive: true });
  await sweepAll();
  expect(await fixture.stored()).toEqual([]);
  expect(fixture.leases()).toEqual([]);
});

describe("a catalog that has lost records", () => {
  const quarantined = () =>
    readdirSync(join(dirname(fixture.blobFolder), "quarantine", "lost", "blobs"), {
      recursive: true,
      encoding: "utf8",
    }).filter((name) => name.includes("/"));

  test("is recognised by a committed blob without a record, and every orphan is kept", async () => {
    const leftovers = await storeOrphans(2);
    const committed = await storeOrphans(2);
    const file = await storeOrphans(1);
    await fixture.blobs.markCommitted([...committed.slice(1), ...file]);
    await fixture.restart();

    expect(await sweepAll()).toBe(0);
    expect(fixture.lostRecords.reasons).toEqual([
      expect.stringContaining("The catalog is older than the blobs or damaged"),
    ]);
    expect(await fixture.stored()).toEqual([]);
    const all = [...leftovers, ...committed, ...file];
    expect(quarantined().sort()).toEqual(all.map((id) => fixture.blobs.placeOf(id)).sort());
    expect(fixture.lostRecords.moved.reduce((sum, count) => sum + count, 0)).toBe(all.length);
    expect(fixture.leases()).toEqual([]);
  });

  test("keeps every orphan from then on", async () => {
    fixture.lostRecords.suspect("The log is damaged.");
    const ids = await storeOrphans(1);
    for (const id of ids) expect(await sweepBlock(blockOf(id))).toBe(0);
    expect(quarantined()).toEqual(ids.map((id) => fixture.blobs.placeOf(id)));
  });

  test("is not suspected because of committed blobs that have a record", async () => {
    const allocator = fixture.createAllocator();
    const [kept, gone] = [await allocator.take(), await allocator.take()];
    for (const id of [kept, gone]) await fixture.store(id);
    const [, record] = await fixture.addFiles(allocator, [kept, gone]);
    await fixture.blobs.markCommitted([kept, gone]);
    await fixture.catalog.removeFiles(COMMAND_EVERYWHERE, [record?.id ?? ""]);
    await storeOrphans(1);
    await fixture.restart();
    expect(await sweepAll()).toBe(1);
    expect(fixture.lostRecords.reasons).toEqual([]);
    expect(await fixture.stored()).toEqual([kept, gone]);
  });
});
