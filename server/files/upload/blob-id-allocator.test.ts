import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { LEASE_SECONDS } from "../../catalog/port/blob-ledger.ts";
import { BLOCK_SIZE, blobId, blockOf, positionOf } from "../../domain/blob-id.ts";
import type { BlobId } from "../../domain/records.ts";
import { type FilesFixture, openFilesFixture, until } from "../files.fixture.ts";
import { type BlobIdAllocator, createBlobIdAllocator } from "./blob-id-allocator.ts";

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

/** Satisfies the types where an id always exists. */
const NONE = blobId(0, 0);

const leased = (): number[] => fixture.leases().map(({ block }) => block);

async function take(count: number): Promise<BlobId[]> {
  const ids: BlobId[] = [];
  for (let n = 0; n < count; n += 1) ids.push(await allocator.take());
  return ids;
}

const markAllCommitted = (ids: readonly BlobId[]): void => ids.forEach(allocator.markCommitted);

describe("blob ids", () => {
  test("come from a block that is leased to the allocator", async () => {
    expect(leased()).toEqual([]);
    const ids = await take(3);
    expect(ids.map(positionOf)).toEqual([0, 1, 2]);
    const [lease, ...others] = fixture.leases();
    expect(others).toEqual([]);
    expect(lease?.owner).toBe(allocator.owner);
    expect(ids.map(blockOf)).toEqual(ids.map(() => lease?.block ?? -1));
    markAllCommitted(ids);
  });

  test("are unique among 1,000 concurrent calls of take", async () => {
    const ids = await Promise.all(Array.from({ length: 1000 }, () => allocator.take()));
    expect(new Set(ids).size).toBe(1000);
    const blocks = new Set(ids.map(blockOf));
    expect([...blocks].sort()).toEqual(leased().sort());
    expect(blocks.size).toBe(4);
    markAllCommitted(ids);
    await until(() => leased().length === 1);
  });

  test("are unique while others are marked committed or unknown", async () => {
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

  test("of two allocators are in different blocks", async () => {
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
  test("is closed once all its 256 ids are committed, and not before", async () => {
    const ids = await take(BLOCK_SIZE);
    const [first = 0] = leased();
    markAllCommitted(ids.slice(1));
    const next = await allocator.take();
    expect(leased()).toContain(first);
    markAllCommitted(ids.slice(0, 1));
    await until(() => !leased().includes(first));
    expect(leased()).toEqual([blockOf(next)]);
    expect(fixture.errors).toEqual([]);
    allocator.markCommitted(next);
  });

  test("is closed even if no further id is taken", async () => {
    const ids = await take(BLOCK_SIZE);
    markAllCommitted(ids.slice(1));
    expect(leased()).toHaveLength(1);
    markAllCommitted(ids.slice(0, 1));
    await until(() => leased().length === 0);
    expect(blockOf(await allocator.take())).not.toBe(blockOf(ids[0] ?? NONE));
  });

  test("is not swept if all its ids are committed", async () => {
    const ids = await take(BLOCK_SIZE);
    await fixture.store(ids[7] ?? NONE);
    markAllCommitted(ids);
    await allocator.close();
    expect(leased()).toEqual([]);
    expect(await fixture.stored()).toEqual(ids.slice(7, 8));
  });
});

describe("a discarded blob", () => {
  test("has its block swept at the end, which keeps the files", async () => {
    const ids = await take(BLOCK_SIZE);
    const [file = NONE, discarded = NONE, ...others] = ids;
    await fixture.store(file);
    await fixture.addFiles(allocator, [file]);
    // As if the removal had been lost in a power cut.
    await fixture.store(discarded);
    markAllCommitted([file, ...others]);
    expect(leased()).toEqual([blockOf(file)]);
    allocator.markDiscarded(discarded);
    await allocator.close();
    expect(await fixture.stored()).toEqual([file]);
    expect(leased()).toEqual([]);
    expect(fixture.errors).toEqual([]);
  });

  test("does not retire its block", async () => {
    allocator.markDiscarded(await allocator.take());
    const next = await allocator.take();
    expect(leased()).toEqual([blockOf(next)]);
    allocator.markCommitted(next);
  });
});

describe("a blob with an unknown outcome", () => {
  test("has its block swept, which keeps the files", async () => {
    const ids = await take(4);
    for (const id of ids) await fixture.store(id);
    const [file = NONE, lost = NONE, late = NONE, other = NONE] = ids;
    await fixture.addFiles(allocator, [file, other]);
    markAllCommitted([file, other]);
    allocator.markUnknown(lost);
    // One upload is still in progress: its block is not swept yet, and gives out no more ids.
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

  test("is swept before close resolves", async () => {
    const id = await allocator.take();
    await fixture.store(id);
    allocator.markUnknown(id);
    await allocator.close();
    expect(leased()).toEqual([]);
    expect(await fixture.stored()).toEqual([]);
  });
});

test("a block with an unknown outcome is not swept before its lease is released", async () => {
  let failing = true;
  const ledger = {
    ...fixture.catalog,
    async releaseLease(block: number) {
      if (failing) throw new Error("disk I/O error");
      await fixture.catalog.releaseLease(block);
    },
  };
  const sweepBlock = fixture.createSweep(ledger).block;
  const other = createBlobIdAllocator({
    ledger,
    sweepBlock,
    owner: "other",
    onError: fixture.onError,
  });
  const ids = [await other.take()];
  await fixture.store(ids[0] ?? NONE);
  other.markUnknown(ids[0] ?? NONE);
  await until(() => fixture.errors.length === 1);
  expect(await fixture.stored()).toEqual(ids);

  failing = false;
  ids.push(await other.take());
  await fixture.store(ids[1] ?? NONE);
  other.markUnknown(ids[1] ?? NONE);
  await until(async () => (await fixture.stored()).length === 1);
  expect(await fixture.stored()).toEqual(ids.slice(0, 1));
  await other.close();
});

describe("close", () => {
  test("waits for uploads in progress", async () => {
    const id = await allocator.take();
    const closing = allocator.close();
    await Bun.sleep(50);
    expect(leased()).toEqual([blockOf(id)]);
    allocator.markCommitted(id);
    await closing;
    expect(leased()).toEqual([]);
  });

  test("releases every lease", async () => {
    const ids = await Promise.all(Array.from({ length: 300 }, () => allocator.take()));
    markAllCommitted(ids);
    await allocator.close();
    expect(leased()).toEqual([]);
    await allocator.close();
  });

  test("does nothing if no id was taken", async () => {
    await allocator.close();
    expect(leased()).toEqual([]);
  });

  test("leaves unfinished uploads to the sweep of the next start", async () => {
    const id = await allocator.take();
    await fixture.store(id);
    await allocator.close();
    expect(leased()).toEqual([blockOf(id)]);
    await fixture.restart();
    expect(await fixture.createSweep().expired()).toBe(1);
    expect(await fixture.stored()).toEqual([]);
    expect(leased()).toEqual([]);
    allocator.markCommitted(id);
  });
});

test("leases are renewed", async () => {
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

test("the lease of a block that could not be closed is not renewed", async () => {
  jest.useFakeTimers();
  const ledger = {
    ...fixture.catalog,
    releaseLease: () => Promise.reject(new Error("The database is unavailable.")),
  };
  const sweepBlock = fixture.createSweep(ledger).block;
  const failing = createBlobIdAllocator({
    ledger,
    sweepBlock,
    owner: "failing",
    onError: fixture.onError,
  });
  const unknown = await failing.take();
  failing.markUnknown(unknown);
  const next = await failing.take();
  fixture.age(LEASE_SECONDS - 1);
  const heartbeatOf = (id: BlobId): number =>
    fixture.leases().find(({ block }) => block === blockOf(id))?.heartbeat ?? 0;
  const [expiring, kept] = [heartbeatOf(unknown), heartbeatOf(next)];
  jest.advanceTimersByTime((LEASE_SECONDS * 1000) / 5);
  jest.useRealTimers();
  await until(() => fixture.errors.length === 1 && heartbeatOf(next) > kept + 20_000);
  expect(heartbeatOf(unknown)).toBe(expiring);
  failing.markCommitted(next);
  await failing.close();
});

test("with the catalog unavailable, take rejects and closing a block reports an error", async () => {
  const id = await allocator.take();
  const other = fixture.createAllocator();
  await fixture.catalog.close();
  const outcome = await other.take().catch((error: unknown) => error);
  expect(outcome).toMatchObject({ kind: "unavailable" });
  allocator.markUnknown(id);
  await until(() => fixture.errors.length === 1);
  expect(fixture.errors).toEqual(["A blob block could not be closed; the next sweep will retry"]);
  expect(leased()).toEqual([blockOf(id)]);
  await other.close();
});
