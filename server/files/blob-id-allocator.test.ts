import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { LEASE_SECONDS } from "../catalog/port.ts";
import { BLOCK_SIZE, blobId, blockOf, positionOf } from "../rules/blob-id.ts";
import type { BlobId } from "../rules/records.ts";
import { type BlobIdAllocator, createBlobIdAllocator } from "./blob-id-allocator.ts";
import { type FilesFixture, openFilesFixture, until } from "./files.fixture.ts";
import { createSweepBlock, sweepExpired } from "./sweep.ts";

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

/** For ids that are there, which the types cannot know. */
const NONE = blobId(0, 0);

const leased = (): number[] => fixture.leases().map(({ block }) => block);

async function take(count: number): Promise<BlobId[]> {
  const ids: BlobId[] = [];
  for (let n = 0; n < count; n += 1) ids.push(await allocator.take());
  return ids;
}

const settle = (ids: readonly BlobId[]): void => ids.forEach(allocator.markCommitted);

describe("ids", () => {
  test("come from a block that is leased to the allocator", async () => {
    expect(leased()).toEqual([]);
    const ids = await take(3);
    expect(ids.map(positionOf)).toEqual([0, 1, 2]);
    const [lease, ...others] = fixture.leases();
    expect(others).toEqual([]);
    expect(lease?.owner).toBe(allocator.owner);
    expect(ids.map(blockOf)).toEqual(ids.map(() => lease?.block ?? -1));
    settle(ids);
  });

  test("are never given twice, 1,000 at once", async () => {
    const ids = await Promise.all(Array.from({ length: 1000 }, () => allocator.take()));
    expect(new Set(ids).size).toBe(1000);
    const blocks = new Set(ids.map(blockOf));
    expect([...blocks].sort()).toEqual(leased().sort());
    expect(blocks.size).toBe(4);
    settle(ids);
    await until(() => leased().length === 1);
  });

  test("are never given twice while others are settled and doubted", async () => {
    const ids: BlobId[] = [];
    await Promise.all(
      Array.from({ length: 20 }, async (_, worker) => {
        for (let n = 0; n < 40; n += 1) {
          const id = await allocator.take();
          ids.push(id);
          if (n % 3 === 0) await Bun.sleep(0);
          if (worker === 0 && n % 10 === 0) allocator.markUnknown(id);
          else allocator.markCommitted(id);
        }
      }),
    );
    expect(new Set(ids).size).toBe(800);
    await allocator.close();
    expect(leased()).toEqual([]);
    expect(fixture.errors).toEqual([]);
  });

  test("of two desks lie in blocks of their own", async () => {
    const other = fixture.createAllocator();
    const id = await other.take();
    const mine = await allocator.take();
    expect(other.owner).not.toBe(allocator.owner);
    expect(blockOf(mine)).not.toBe(blockOf(id));
    other.markCommitted(id);
    allocator.markCommitted(mine);
    await other.close();
  });
});

describe("a block", () => {
  test("is closed once its 256 ids are settled, and not before", async () => {
    const ids = await take(BLOCK_SIZE);
    const [first = 0] = leased();
    settle(ids.slice(1));
    const next = await allocator.take();
    expect(leased()).toContain(first);
    settle(ids.slice(0, 1));
    await until(() => !leased().includes(first));
    expect(leased()).toEqual([blockOf(next)]);
    expect(fixture.errors).toEqual([]);
    allocator.markCommitted(next);
  });

  test("is closed also when no further id is asked for", async () => {
    const ids = await take(BLOCK_SIZE);
    settle(ids.slice(1));
    expect(leased()).toHaveLength(1);
    settle(ids.slice(0, 1));
    await until(() => leased().length === 0);
    expect(blockOf(await allocator.take())).not.toBe(blockOf(ids[0] ?? NONE));
  });

  test("is left alone when its last id is settled without a doubt", async () => {
    const ids = await take(BLOCK_SIZE);
    await fixture.store(ids[7] ?? NONE);
    settle(ids);
    await allocator.close();
    expect(leased()).toEqual([]);
    expect(await fixture.stored()).toEqual(ids.slice(7, 8));
  });
});

describe("a dropped blob", () => {
  test("has its block swept in the end, and leaves files alone", async () => {
    const ids = await take(BLOCK_SIZE);
    const [file = NONE, dropped = NONE, ...others] = ids;
    await fixture.store(file);
    await fixture.addFiles(allocator, [file]);
    // As if it had come back after it was discarded.
    await fixture.store(dropped);
    settle([file, ...others]);
    expect(leased()).toEqual([blockOf(file)]);
    allocator.markDiscarded(dropped);
    await allocator.close();
    expect(await fixture.stored()).toEqual([file]);
    expect(leased()).toEqual([]);
    expect(fixture.errors).toEqual([]);
  });

  test("does not end the use of its block", async () => {
    allocator.markDiscarded(await allocator.take());
    const next = await allocator.take();
    expect(leased()).toEqual([blockOf(next)]);
    allocator.markCommitted(next);
  });
});

describe("a doubt", () => {
  test("leads to a sweep, which leaves files alone", async () => {
    const ids = await take(4);
    for (const id of ids) await fixture.store(id);
    const [file = NONE, lost = NONE, late = NONE, other = NONE] = ids;
    await fixture.addFiles(allocator, [file, other]);
    settle([file, other]);
    allocator.markUnknown(lost);
    // One is still on its way: nothing is swept under it, and no id is given from its block.
    const next = await allocator.take();
    expect(blockOf(next)).not.toBe(blockOf(file));
    allocator.markCommitted(next);
    await Bun.sleep(20);
    expect(await fixture.stored()).toEqual(ids);
    allocator.markCommitted(late);
    await until(() => !leased().includes(blockOf(file)));
    expect(await fixture.stored()).toEqual([file, other]);
    expect(fixture.errors).toEqual([]);
  });

  test("of the last id is dealt with before the allocator is closed", async () => {
    const id = await allocator.take();
    await fixture.store(id);
    allocator.markUnknown(id);
    await allocator.close();
    expect(leased()).toEqual([]);
    expect(await fixture.stored()).toEqual([]);
  });
});

test("a doubt is not swept before nothing of the commit that failed can come to light any more", async () => {
  let failing = true;
  const ledger = {
    ...fixture.catalog,
    async releaseLease(block: number) {
      if (failing) throw new Error("disk I/O error");
      await fixture.catalog.releaseLease(block);
    },
  };
  const sweepBlock = createSweepBlock({ ledger, blobs: fixture.blobs });
  const doubtful = createBlobIdAllocator({
    ledger,
    sweepBlock,
    owner: "doubtful",
    onError: fixture.onError,
  });
  const ids = [await doubtful.take()];
  await fixture.store(ids[0] ?? NONE);
  doubtful.markUnknown(ids[0] ?? NONE);
  await until(() => fixture.errors.length === 1);
  expect(await fixture.stored()).toEqual(ids);

  failing = false;
  ids.push(await doubtful.take());
  await fixture.store(ids[1] ?? NONE);
  doubtful.markUnknown(ids[1] ?? NONE);
  await until(async () => (await fixture.stored()).length === 1);
  expect(await fixture.stored()).toEqual(ids.slice(0, 1));
  await doubtful.close();
});

describe("closing", () => {
  test("waits a moment for what is on its way", async () => {
    const id = await allocator.take();
    const closing = allocator.close();
    await Bun.sleep(50);
    expect(leased()).toEqual([blockOf(id)]);
    allocator.markCommitted(id);
    await closing;
    expect(leased()).toEqual([]);
  });

  test("gives everything back", async () => {
    const ids = await Promise.all(Array.from({ length: 300 }, () => allocator.take()));
    settle(ids);
    await allocator.close();
    expect(leased()).toEqual([]);
    await allocator.close();
  });

  test("of an unused allocator does nothing", async () => {
    await allocator.close();
    expect(leased()).toEqual([]);
  });

  test("leaves to the next start what is still on its way", async () => {
    const id = await allocator.take();
    await fixture.store(id);
    await allocator.close();
    expect(leased()).toEqual([blockOf(id)]);
    await fixture.restart();
    const sweepBlock = createSweepBlock({ ledger: fixture.catalog, blobs: fixture.blobs });
    expect(await sweepExpired(fixture.catalog, sweepBlock, fixture.onError)).toBe(1);
    expect(await fixture.stored()).toEqual([]);
    expect(leased()).toEqual([]);
    allocator.markCommitted(id);
  });
});

test("leases are kept alive", async () => {
  jest.useFakeTimers();
  const kept = fixture.createAllocator();
  try {
    kept.markCommitted(await kept.take());
    fixture.age(LEASE_SECONDS - 1);
    const before = fixture.leases()[0]?.heartbeat ?? 0;
    jest.advanceTimersByTime((LEASE_SECONDS * 1000) / 5);
    jest.useRealTimers();
    await until(() => (fixture.leases()[0]?.heartbeat ?? 0) > before + 20_000);
  } finally {
    jest.useRealTimers();
    await kept.close();
  }
});

test("the lease of a block that could not be closed is left to lapse", async () => {
  jest.useFakeTimers();
  const ledger = {
    ...fixture.catalog,
    releaseLease: () => Promise.reject(new Error("The database is away.")),
  };
  const sweepBlock = createSweepBlock({ ledger, blobs: fixture.blobs });
  const unlucky = createBlobIdAllocator({
    ledger,
    sweepBlock,
    owner: "unlucky",
    onError: fixture.onError,
  });
  const doubtful = await unlucky.take();
  unlucky.markUnknown(doubtful);
  const next = await unlucky.take();
  fixture.age(LEASE_SECONDS - 1);
  const beat = (id: BlobId): number =>
    fixture.leases().find(({ block }) => block === blockOf(id))?.heartbeat ?? 0;
  const [left, kept] = [beat(doubtful), beat(next)];
  jest.advanceTimersByTime((LEASE_SECONDS * 1000) / 5);
  jest.useRealTimers();
  await until(() => fixture.errors.length === 1 && beat(next) > kept + 20_000);
  expect(beat(doubtful)).toBe(left);
  unlucky.markCommitted(next);
  await unlucky.close();
});

test("a catalog that is gone is a fault for whoever takes, and a note for whoever settles", async () => {
  const id = await allocator.take();
  const other = fixture.createAllocator();
  await fixture.catalog.close();
  const outcome = await other.take().catch((error: unknown) => error);
  expect(outcome).toMatchObject({ kind: "unavailable" });
  allocator.markUnknown(id);
  await until(() => fixture.errors.length === 1);
  expect(fixture.errors).toEqual(["A block of blobs was not closed; the next sweep does it"]);
  expect(leased()).toEqual([blockOf(id)]);
  await other.close();
});
