import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { LEASE_SECONDS } from "../../catalog/port/blob-ledger.ts";
import { blobId, blockOf } from "../../domain/blob-id.ts";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import type { FileRecord } from "../../domain/records.ts";
import type { Finding } from "./finding.ts";
import { createRepair, type Quarantine, type Repaired } from "./repair.ts";
import { openVerifyFixture, type VerifyFixture } from "./verify.fixture.ts";

let instance: VerifyFixture;
let kept: FileRecord[];
beforeEach(async () => {
  instance = await openVerifyFixture();
  kept = [];
});
afterEach(() => instance.fixture.end());

const inMemory: Quarantine = {
  name: "now",
  keep: async (records) => {
    kept.push(...records);
  },
};

async function repair(quarantine = inMemory): Promise<{ found: Finding[]; done: Repaired[] }> {
  const done: Repaired[] = [];
  const { catalog, blobs } = instance.fixture;
  const work = createRepair({
    catalog,
    blobs,
    quarantine,
    onRepaired: (one) => void done.push(one),
  });
  const { findings } = await instance.verify({ onFinding: work.take });
  const found: Finding[] = [...findings];
  await work.finish();
  return { found, done };
}

const types = async () => (await instance.verify()).findings.map(({ type }) => type).sort();
const quarantined = (place: string): string =>
  join(instance.fixture.blobFolder, "../quarantine/now/blobs", place);

test("moves orphans, saves and removes records without a blob, and changes nothing else", async () => {
  const [damaged, lost, intact] = await instance.addFiles(["damaged", "lost", "intact"], "a");
  if (!damaged || !lost || !intact) throw new Error("No files.");
  await instance.flipBit(damaged);
  await instance.deleteBlob(lost);
  const orphan = instance.fixture.blobs.placeOf(blobId(blockOf(intact.blobId), 255));
  await instance.writeToStore(orphan, "orphan");
  await instance.writeToStore("strange/thing");
  expect(await types()).toEqual(["damaged", "foreign", "foreign", "missing"]);

  const { done } = await repair();
  expect(done).toHaveLength(3);
  expect(done).toEqual(
    expect.arrayContaining([
      { type: "moved", place: orphan },
      { type: "moved", place: "strange" },
      { type: "removed", id: lost.id, key: lost.key },
    ]),
  );
  expect(kept).toEqual([lost]);
  expect(await readFile(quarantined(orphan), "utf8")).toBe("orphan");
  expect(await readFile(quarantined("strange/thing"), "utf8")).toBe("foreign");
  expect(await instance.fixture.catalog.fileById(COMMAND_EVERYWHERE, lost.id)).toBeUndefined();
  expect(await instance.fixture.catalog.fileById(COMMAND_EVERYWHERE, damaged.id)).toEqual(damaged);
  expect(existsSync(instance.pathOf(damaged))).toBe(true);
  expect(await instance.fixture.catalog.condemnedBlobs(10)).toEqual([]);
  expect(await types()).toEqual(["damaged"]);
  expect((await repair()).done).toEqual([]);
});

test("repairs several batches of orphans and of missing blobs", async () => {
  const files = await instance.addFiles(Array.from({ length: 250 }, (_, n) => `file ${n}`));
  for (const file of files) await instance.deleteBlob(file);
  for (let n = 0; n < 250; n += 1) await instance.writeToStore(`strange ${n}`);
  const { done } = await repair();
  expect(done.filter(({ type }) => type === "moved")).toHaveLength(250);
  expect(done.filter(({ type }) => type === "removed")).toHaveLength(250);
  expect(kept.map(({ id }) => id).sort()).toEqual(files.map(({ id }) => id).sort());
  expect(await types()).toEqual([]);
});

test("keeps a record that the quarantine cannot save, and removes it in the next run", async () => {
  const [lost] = await instance.addFiles(["lost"]);
  if (lost === undefined) throw new Error("No file.");
  await instance.deleteBlob(lost);
  const full: Quarantine = { name: "full", keep: () => Promise.reject(new Error("no space")) };
  await expect(repair(full)).rejects.toThrow("no space");
  expect(await instance.fixture.catalog.fileById(COMMAND_EVERYWHERE, lost.id)).toEqual(lost);
  await repair();
  expect(await types()).toEqual([]);
  expect(kept).toEqual([lost]);
});

test("leaves alone what was fixed between finding and repair", async () => {
  const [lost, deleted] = await instance.addFiles(["lost", "deleted"]);
  if (!lost || !deleted) throw new Error("No files.");
  await instance.deleteBlob(lost);
  await instance.deleteBlob(deleted);
  const { findings } = await instance.verify();
  expect(findings).toHaveLength(2);
  await instance.writeToStore(instance.fixture.blobs.placeOf(lost.blobId), "lost");
  await instance.fixture.catalog.removeFiles(COMMAND_EVERYWHERE, [deleted.id]);
  const done: Repaired[] = [];
  const { catalog, blobs } = instance.fixture;
  const work = createRepair({
    catalog,
    blobs,
    quarantine: inMemory,
    onRepaired: (one) => void done.push(one),
  });
  for (const finding of findings) await work.take(finding);
  await work.finish();
  expect([done, kept]).toEqual([[], []]);
  expect(await instance.fixture.catalog.fileById(COMMAND_EVERYWHERE, lost.id)).toEqual(lost);
});

test("takes over an expired lease before it moves the block's blobs, so that the owner cannot commit them", async () => {
  const allocator = instance.fixture.createAllocator();
  const ids = [await allocator.take(), await allocator.take()];
  for (const id of ids) await instance.fixture.store(id);
  instance.fixture.age(2 * LEASE_SECONDS + 5);
  const { findings } = await instance.verify();
  expect(findings).toMatchObject([{ leftOver: true }, { leftOver: true }]);
  const { done } = await repair();
  expect(done).toHaveLength(2);
  await expect(instance.fixture.addFiles(allocator, ids)).rejects.toMatchObject({
    kind: "unavailable",
  });
  expect(await types()).toEqual([]);
});

test("an owner that renews its expired lease before the repair keeps its blobs", async () => {
  const allocator = instance.fixture.createAllocator();
  const id = await allocator.take();
  await instance.fixture.store(id);
  instance.fixture.age(2 * LEASE_SECONDS + 5);
  const { findings } = await instance.verify();
  await instance.fixture.catalog.renewLeases(allocator.owner, [blockOf(id)]);
  const done: Repaired[] = [];
  const { catalog, blobs } = instance.fixture;
  const work = createRepair({
    catalog,
    blobs,
    quarantine: inMemory,
    onRepaired: (one) => void done.push(one),
  });
  for (const finding of findings) await work.take(finding);
  await work.finish();
  expect(findings).toHaveLength(1);
  expect(done).toEqual([]);
  expect(await instance.fixture.addFiles(allocator, [id])).toHaveLength(1);
  allocator.markCommitted(id);
  await allocator.close();
});

test("a folder in place of a blob: the first run removes the record, the next one moves the folder", async () => {
  const [lost] = await instance.addFiles(["lost", "intact"]);
  if (lost === undefined) throw new Error("No file.");
  await instance.deleteBlob(lost);
  await mkdir(instance.pathOf(lost));
  expect(await types()).toEqual(["missing"]);
  await repair();
  await repair();
  expect(await types()).toEqual([]);
  expect(existsSync(quarantined(instance.fixture.blobs.placeOf(lost.blobId)))).toBe(true);
});
