import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { blockPath } from "../blobs/disk/disk-paths.ts";
import type { BlobWriter } from "../blobs/port.ts";
import { LEASE_SECONDS } from "../catalog/port.ts";
import { blockOf } from "../rules/blob-id.ts";
import type { BlobId } from "../rules/records.ts";
import { type Bed, openBed } from "./bed.fixture.ts";
import { createSweepBlock, sweepLapsed } from "./sweep.ts";

let bed: Bed;
beforeEach(async () => {
  bed = await openBed();
});
afterEach(() => bed.end());

const sweepBlock = (block: number) =>
  createSweepBlock({ ledger: bed.catalog, blobs: bed.blobs })(block);
const sweepAll = () => sweepLapsed(bed.catalog, sweepBlock, bed.onError);

/** Blobs of one block, stored. */
async function storeSome(count: number): Promise<BlobId[]> {
  const desk = bed.createDesk();
  const ids: BlobId[] = [];
  for (let n = 0; n < count; n += 1) ids.push(await desk.take());
  for (const id of ids) await bed.store(id);
  return ids;
}

type State = "absent" | "left over" | "cut short" | "file" | "condemned" | "forgotten";
const anyStates = fc.array(
  fc.constantFrom<State>("absent", "left over", "cut short", "file", "condemned", "forgotten"),
  { minLength: 1, maxLength: 20 },
);

test("a sweep removes exactly what no file refers to and nobody has condemned", async () => {
  await fc.assert(
    fc.asyncProperty(anyStates, async (states) => {
      const desk = bed.createDesk();
      const before = await bed.stored();
      const writers: BlobWriter[] = [];
      const of = new Map<State, BlobId[]>();
      for (const state of states) {
        const id = await desk.take();
        of.set(state, [...(of.get(state) ?? []), id]);
        if (state === "cut short") writers.push(await bed.blobs.create(id));
        else if (state !== "absent") await bed.store(id);
      }
      const all = (state: State): BlobId[] => of.get(state) ?? [];
      const gone = [...all("condemned"), ...all("forgotten")];
      const files = await bed.addFiles(desk, [...all("file"), ...gone]);
      const remove = files.filter(({ blobId }) => gone.includes(blobId));
      await bed.catalog.removeFiles(remove.map(({ id }) => id));
      await bed.catalog.forgetCondemnedBlobs(all("forgotten"));

      const [{ block } = { block: -1 }] = bed.leases();
      const leftOver = [...all("left over"), ...all("cut short"), ...all("forgotten")];
      expect(await sweepBlock(block)).toBe(leftOver.length);
      const kept = [...before, ...all("file"), ...all("condemned")].sort((a, b) => a - b);
      expect(await bed.stored()).toEqual(kept);
      expect(bed.leases()).toEqual([]);
      expect(await sweepBlock(block)).toBe(0);
      for (const writer of writers) await writer.discard();
      expect(await bed.stored()).toEqual(kept);
    }),
    { numRuns: 15 },
  );
});

test("a sweep of one block leaves the others alone", async () => {
  const [mine = 0] = (await storeSome(2)).map(blockOf);
  const others = await storeSome(2);
  expect(await sweepBlock(mine)).toBe(2);
  expect(await bed.stored()).toEqual(others);
  expect(bed.leases().map(({ block }) => block)).toEqual(others.slice(1).map(blockOf));
});

test("a block without blobs is closed, and leaves no folder", async () => {
  const desk = bed.createDesk();
  await desk.take();
  const ids = await storeSome(1);
  for (const { block } of bed.leases()) await sweepBlock(block);
  expect(bed.leases()).toEqual([]);
  expect(ids).toHaveLength(1);
  expect(await readdir(bed.blobFolder)).toEqual([]);
});

test("the folder of a block whose blobs never came is gone after the sweep", async () => {
  const desk = bed.createDesk();
  const block = blockOf(await desk.take());
  mkdirSync(blockPath(bed.blobFolder, block));
  await bed.restart();
  expect(await sweepAll()).toBe(0);
  expect(await readdir(bed.blobFolder)).toEqual([]);
  expect(bed.leases()).toEqual([]);
});

test("what a dead process left is swept after the next start, and nothing of the living", async () => {
  const desk = bed.createDesk();
  const file = await desk.take();
  await bed.store(file);
  await bed.addFiles(desk, [file]);
  const sameBlock = await desk.take();
  await bed.store(sameBlock);
  await storeSome(3);
  expect(await sweepAll()).toBe(0);

  await bed.restart();
  const living = await storeSome(2);
  expect(await sweepAll()).toBe(4);
  expect(await bed.stored()).toEqual([file, ...living].sort((a, b) => a - b));
  expect(new Set(bed.leases().map(({ block }) => block))).toEqual(new Set(living.map(blockOf)));
  expect(await sweepAll()).toBe(0);
});

test("a lease that was not kept alive is swept, and its owner can add nothing of it", async () => {
  const desk = bed.createDesk();
  const id = await desk.take();
  await bed.store(id);
  bed.age(LEASE_SECONDS + 1);
  expect(await sweepAll()).toBe(1);
  expect(await bed.stored()).toEqual([]);
  const outcome = await bed.addFiles(desk, [id]).catch((error: unknown) => error);
  expect(outcome).toMatchObject({ kind: "unavailable" });
});

test("a block that cannot be swept keeps no other from it, and is tried again", async () => {
  const ids = [...(await storeSome(1)), ...(await storeSome(1))].sort((a, b) => a - b);
  const blocks = ids.map(blockOf);
  const [block = -1] = blocks;
  // A folder where a blob should be cannot be unlinked.
  const inTheWay = join(blockPath(bed.blobFolder, block), "ff");
  mkdirSync(inTheWay);
  await bed.restart();

  expect(await sweepAll()).toBe(1);
  expect(bed.errors).toEqual(["A block of blobs was not swept; this is tried again"]);
  expect(bed.leases().map((left) => left.block)).toEqual([block]);
  expect((await bed.stored()).map(blockOf)).not.toContain(blocks[1]);

  rmSync(inTheWay, { recursive: true });
  await sweepAll();
  expect(await bed.stored()).toEqual([]);
  expect(bed.leases()).toEqual([]);
});
