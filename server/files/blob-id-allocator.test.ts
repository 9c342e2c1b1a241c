import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { LEASE_SECONDS } from "../catalog/port.ts";
import { BLOCK_SIZE, blobId, blockOf, positionOf } from "../rules/blob-id.ts";
import type { BlobId } from "../rules/records.ts";
import { type Bed, openBed, until } from "./bed.fixture.ts";
import { type BlobIdAllocator, createBlobIdAllocator } from "./blob-id-allocator.ts";
import { createSweepBlock, sweepLapsed } from "./sweep.ts";

let bed: Bed;
let desk: BlobIdAllocator;
beforeEach(async () => {
  bed = await openBed();
  desk = bed.createDesk();
});
afterEach(async () => {
  await desk.close();
  await bed.end();
});

/** For ids that are there, which the types cannot know. */
const NONE = blobId(0, 0);

const leased = (): number[] => bed.leases().map(({ block }) => block);

async function take(count: number): Promise<BlobId[]> {
  const ids: BlobId[] = [];
  for (let n = 0; n < count; n += 1) ids.push(await desk.take());
  return ids;
}

const settle = (ids: readonly BlobId[]): void => ids.forEach(desk.settle);

describe("ids", () => {
  test("come from a block that is leased to the desk", async () => {
    expect(leased()).toEqual([]);
    const ids = await take(3);
    expect(ids.map(positionOf)).toEqual([0, 1, 2]);
    const [lease, ...others] = bed.leases();
    expect(others).toEqual([]);
    expect(lease?.owner).toBe(desk.owner);
    expect(ids.map(blockOf)).toEqual(ids.map(() => lease?.block ?? -1));
    settle(ids);
  });

  test("are never given twice, 1,000 at once", async () => {
    const ids = await Promise.all(Array.from({ length: 1000 }, () => desk.take()));
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
          const id = await desk.take();
          ids.push(id);
          if (n % 3 === 0) await Bun.sleep(0);
          if (worker === 0 && n % 10 === 0) desk.doubt(id);
          else desk.settle(id);
        }
      }),
    );
    expect(new Set(ids).size).toBe(800);
    await desk.close();
    expect(leased()).toEqual([]);
    expect(bed.errors).toEqual([]);
  });

  test("of two desks lie in blocks of their own", async () => {
    const other = bed.createDesk();
    const id = await other.take();
    const mine = await desk.take();
    expect(other.owner).not.toBe(desk.owner);
    expect(blockOf(mine)).not.toBe(blockOf(id));
    other.settle(id);
    desk.settle(mine);
    await other.close();
  });
});

describe("a block", () => {
  test("is closed once its 256 ids are settled, and not before", async () => {
    const ids = await take(BLOCK_SIZE);
    const [first = 0] = leased();
    settle(ids.slice(1));
    const next = await desk.take();
    expect(leased()).toContain(first);
    settle(ids.slice(0, 1));
    await until(() => !leased().includes(first));
    expect(leased()).toEqual([blockOf(next)]);
    expect(bed.errors).toEqual([]);
    desk.settle(next);
  });

  test("is closed also when no further id is asked for", async () => {
    const ids = await take(BLOCK_SIZE);
    settle(ids.slice(1));
    expect(leased()).toHaveLength(1);
    settle(ids.slice(0, 1));
    await until(() => leased().length === 0);
    expect(blockOf(await desk.take())).not.toBe(blockOf(ids[0] ?? NONE));
  });

  test("is left alone when its last id is settled without a doubt", async () => {
    const ids = await take(BLOCK_SIZE);
    await bed.store(ids[7] ?? NONE);
    settle(ids);
    await desk.close();
    expect(leased()).toEqual([]);
    expect(await bed.stored()).toEqual(ids.slice(7, 8));
  });
});

describe("a dropped blob", () => {
  test("has its block swept in the end, and leaves files alone", async () => {
    const ids = await take(BLOCK_SIZE);
    const [file = NONE, dropped = NONE, ...others] = ids;
    await bed.store(file);
    await bed.addFiles(desk, [file]);
    // As if it had come back after it was discarded.
    await bed.store(dropped);
    settle([file, ...others]);
    expect(leased()).toEqual([blockOf(file)]);
    desk.drop(dropped);
    await desk.close();
    expect(await bed.stored()).toEqual([file]);
    expect(leased()).toEqual([]);
    expect(bed.errors).toEqual([]);
  });

  test("does not end the use of its block", async () => {
    desk.drop(await desk.take());
    const next = await desk.take();
    expect(leased()).toEqual([blockOf(next)]);
    desk.settle(next);
  });
});

describe("a doubt", () => {
  test("leads to a sweep, which leaves files alone", async () => {
    const ids = await take(4);
    for (const id of ids) await bed.store(id);
    const [file = NONE, lost = NONE, late = NONE, other = NONE] = ids;
    await bed.addFiles(desk, [file, other]);
    settle([file, other]);
    desk.doubt(lost);
    // One is still on its way: nothing is swept under it, and no id is given from its block.
    const next = await desk.take();
    expect(blockOf(next)).not.toBe(blockOf(file));
    desk.settle(next);
    await Bun.sleep(20);
    expect(await bed.stored()).toEqual(ids);
    desk.settle(late);
    await until(() => !leased().includes(blockOf(file)));
    expect(await bed.stored()).toEqual([file, other]);
    expect(bed.errors).toEqual([]);
  });

  test("of the last id is dealt with before the desk is closed", async () => {
    const id = await desk.take();
    await bed.store(id);
    desk.doubt(id);
    await desk.close();
    expect(leased()).toEqual([]);
    expect(await bed.stored()).toEqual([]);
  });
});

test("a doubt is not swept before nothing of the commit that failed can come to light any more", async () => {
  let failing = true;
  const ledger = {
    ...bed.catalog,
    async releaseLease(block: number) {
      if (failing) throw new Error("disk I/O error");
      await bed.catalog.releaseLease(block);
    },
  };
  const sweepBlock = createSweepBlock({ ledger, blobs: bed.blobs });
  const doubtful = createBlobIdAllocator({
    ledger,
    sweepBlock,
    owner: "doubtful",
    onError: bed.onError,
  });
  const ids = [await doubtful.take()];
  await bed.store(ids[0] ?? NONE);
  doubtful.doubt(ids[0] ?? NONE);
  await until(() => bed.errors.length === 1);
  expect(await bed.stored()).toEqual(ids);

  failing = false;
  ids.push(await doubtful.take());
  await bed.store(ids[1] ?? NONE);
  doubtful.doubt(ids[1] ?? NONE);
  await until(async () => (await bed.stored()).length === 1);
  expect(await bed.stored()).toEqual(ids.slice(0, 1));
  await doubtful.close();
});

describe("closing", () => {
  test("waits a moment for what is on its way", async () => {
    const id = await desk.take();
    const closing = desk.close();
    await Bun.sleep(50);
    expect(leased()).toEqual([blockOf(id)]);
    desk.settle(id);
    await closing;
    expect(leased()).toEqual([]);
  });

  test("gives everything back", async () => {
    const ids = await Promise.all(Array.from({ length: 300 }, () => desk.take()));
    settle(ids);
    await desk.close();
    expect(leased()).toEqual([]);
    await desk.close();
  });

  test("of an unused desk does nothing", async () => {
    await desk.close();
    expect(leased()).toEqual([]);
  });

  test("leaves to the next start what is still on its way", async () => {
    const id = await desk.take();
    await bed.store(id);
    await desk.close();
    expect(leased()).toEqual([blockOf(id)]);
    await bed.restart();
    const sweepBlock = createSweepBlock({ ledger: bed.catalog, blobs: bed.blobs });
    expect(await sweepLapsed(bed.catalog, sweepBlock, bed.onError)).toBe(1);
    expect(await bed.stored()).toEqual([]);
    expect(leased()).toEqual([]);
    desk.settle(id);
  });
});

test("leases are kept alive", async () => {
  jest.useFakeTimers();
  const kept = bed.createDesk();
  try {
    kept.settle(await kept.take());
    bed.age(LEASE_SECONDS - 1);
    const before = bed.leases()[0]?.heartbeat ?? 0;
    jest.advanceTimersByTime((LEASE_SECONDS * 1000) / 5);
    jest.useRealTimers();
    await until(() => (bed.leases()[0]?.heartbeat ?? 0) > before + 20_000);
  } finally {
    jest.useRealTimers();
    await kept.close();
  }
});

test("the lease of a block that could not be closed is left to lapse", async () => {
  jest.useFakeTimers();
  const ledger = {
    ...bed.catalog,
    releaseLease: () => Promise.reject(new Error("The database is away.")),
  };
  const sweepBlock = createSweepBlock({ ledger, blobs: bed.blobs });
  const unlucky = createBlobIdAllocator({
    ledger,
    sweepBlock,
    owner: "unlucky",
    onError: bed.onError,
  });
  const doubtful = await unlucky.take();
  unlucky.doubt(doubtful);
  const next = await unlucky.take();
  bed.age(LEASE_SECONDS - 1);
  const beat = (id: BlobId): number =>
    bed.leases().find(({ block }) => block === blockOf(id))?.heartbeat ?? 0;
  const [left, kept] = [beat(doubtful), beat(next)];
  jest.advanceTimersByTime((LEASE_SECONDS * 1000) / 5);
  jest.useRealTimers();
  await until(() => bed.errors.length === 1 && beat(next) > kept + 20_000);
  expect(beat(doubtful)).toBe(left);
  unlucky.settle(next);
  await unlucky.close();
});

test("a catalog that is gone is a fault for whoever takes, and a note for whoever settles", async () => {
  const id = await desk.take();
  const other = bed.createDesk();
  await bed.catalog.close();
  const outcome = await other.take().catch((error: unknown) => error);
  expect(outcome).toMatchObject({ kind: "unavailable" });
  desk.doubt(id);
  await until(() => bed.errors.length === 1);
  expect(bed.errors).toEqual(["A block of blobs was not closed; the next sweep does it"]);
  expect(leased()).toEqual([blockOf(id)]);
  await other.close();
});
