import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Blobs } from "../../blobs/port.ts";
import { AUTHORIZED_COMMAND } from "../../domain/callers/authorize.ts";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey } from "../../domain/names/name.ts";
import type { FileRecord } from "../../domain/records.ts";
import { createMemoryBudget } from "../../lib/memory-budget.ts";
import { createTimeSlices } from "../../lib/time-slices.ts";
import { openUploadFixture, type UploadFixture } from "../upload/upload.fixture.ts";
import { type Archive, type ArchiveDeps, createArchives } from "./archive.ts";

let uploads: UploadFixture;
let stored: FileRecord[];
beforeEach(async () => {
  uploads = await openUploadFixture();
  stored = await uploads.upload(
    { "a.txt": "content", "b.txt": "content" },
    { folder: parseKey("outer/inner") },
  );
});
afterEach(() => uploads.end());

const archivesWith = (deps: Partial<ArchiveDeps>) =>
  createArchives({ ...uploads.fixture, onDamage: () => {}, ...deps });
const archives = (maxPlanBytes: number) => archivesWith({ maxPlanBytes });

test("rejects an archive whose plan takes too much memory, even with few ids", async () => {
  const inner = stored[0]?.folderId ?? "";
  const outer =
    (await uploads.fixture.catalog.folderById(COMMAND_EVERYWHERE, inner))?.parentId ?? "";
  const both = { ids: [], folderIds: [outer, inner] };
  const whole = await archives(1000).selection(AUTHORIZED_COMMAND, both);
  // Some 60 bytes for each of seven entries: outer, inner, a, b, and inner, a, b again.
  await expect(archives(400).selection(AUTHORIZED_COMMAND, both)).rejects.toMatchObject({
    kind: "too_large",
  });
  await expect(archives(100).folder(AUTHORIZED_COMMAND, { key: "outer" })).rejects.toMatchObject({
    kind: "too_large",
  });
  expect((await archives(400).folder(AUTHORIZED_COMMAND, { key: "outer" })).size).toBeLessThan(
    whole.size,
  );
});

describe("the memory of all archives", () => {
  /** Enough for the buffers of one plan, but not of two. */
  const memory = createMemoryBudget(400 * 1024);
  const outer = { key: "outer" };
  const withMemory = (maxPlanBytes = 1000) => archivesWith({ memory, maxPlanBytes });

  test("is returned when the client is gone before the plan is complete", async () => {
    const all = withMemory();
    const gone = AbortSignal.abort();
    for (const plan of [
      () => all.folder(AUTHORIZED_COMMAND, outer, gone),
      () => all.selection(AUTHORIZED_COMMAND, allIds(), gone),
    ]) {
      await expect(plan()).rejects.toMatchObject({ kind: "invalid" });
      expect(memory.reserved()).toBe(0);
    }
  });

  test("has one bound: beyond it, archives are unavailable until one is released", async () => {
    const all = withMemory();
    const first = await all.folder(AUTHORIZED_COMMAND, outer);
    for (const again of [
      () => all.folder(AUTHORIZED_COMMAND, outer),
      () => all.selection(AUTHORIZED_COMMAND, allIds()),
    ]) {
      await expect(again()).rejects.toMatchObject({ kind: "unavailable", retryAfter: 10 });
    }
    first.release();
    first.release();
    const second = await all.selection(AUTHORIZED_COMMAND, allIds());
    second.release();
    expect(memory.reserved()).toBe(0);
  });

  test("is returned when an archive cannot be planned", async () => {
    const all = withMemory();
    const inner = stored[0]?.folderId ?? "";
    for (const ids of [["nope"], [...allIds().ids, "nope"]]) {
      await expect(
        all.selection(AUTHORIZED_COMMAND, { ids, folderIds: [inner] }),
      ).rejects.toMatchObject({
        kind: "not_found",
      });
      expect(memory.reserved()).toBe(0);
    }
    const tooLarge = withMemory(100).folder(AUTHORIZED_COMMAND, outer);
    await expect(tooLarge).rejects.toMatchObject({ kind: "too_large" });
    expect(memory.reserved()).toBe(0);
  });

  const allIds = () => ({ ids: stored.map(({ id }) => id), folderIds: [] });
});

describe("leaves the event loop to others", () => {
  /** A slice of two steps, whatever the speed of the machine. */
  const shortSlices = () => {
    let time = 0;
    return createTimeSlices({ sliceMs: 2, now: () => time++ });
  };

  test("while it reads many small files", async () => {
    const folder = parseKey("many");
    for (let batch = 0; batch < 10; batch += 1) {
      const names = Array.from({ length: 4 }, (_, file) => [`${batch}-${file}`, "content"]);
      await uploads.upload(Object.fromEntries(names), { folder });
    }
    const reads = countPerTurn();
    const blobs: Blobs = {
      ...uploads.fixture.blobs,
      read(...args) {
        reads.count();
        return uploads.fixture.blobs.read(...args);
      },
    };
    const archive = await archivesWith({ blobs, slices: shortSlices() }).folder(
      AUTHORIZED_COMMAND,
      { key: "many" },
    );
    expect(await sizeOf(archive)).toBe(archive.size);
    expect(reads.stop()).toEqual({ total: 40, mostPerTurn: expect.any(Number) });
    expect(reads.stop().mostPerTurn).toBeLessThanOrEqual(2);
  });

  test("while it reads a large file", async () => {
    const size = 300_000;
    await uploads.upload({ "large.bin": "x".repeat(size) }, { folder: parseKey("large") });
    const archive = await archivesWith({ slices: shortSlices() }).folder(AUTHORIZED_COMMAND, {
      key: "large",
    });
    const chunks = countPerTurn();
    for await (const _ of archive.read()) chunks.count();
    expect(chunks.stop().mostPerTurn).toBeLessThanOrEqual(2);
  });

  test("while it plans many small folders", async () => {
    for (let folder = 0; folder < 30; folder += 1) {
      await uploads.fixture.catalog.createFolder(COMMAND_EVERYWHERE, parseKey(`folders/${folder}`));
    }
    const lists = countPerTurn();
    const { catalog } = uploads.fixture;
    const counted: ArchiveDeps["catalog"] = {
      ...catalog,
      listFiles(...args) {
        lists.count();
        return catalog.listFiles(...args);
      },
    };
    const all = archivesWith({ catalog: counted, slices: shortSlices() });
    await all.folder(AUTHORIZED_COMMAND, { key: "folders" });
    expect(lists.stop().total).toBe(31);
    expect(lists.stop().mostPerTurn).toBeLessThanOrEqual(2);
  });
});

async function sizeOf(archive: Archive): Promise<number> {
  let size = 0;
  for await (const chunk of archive.read()) size += chunk.length;
  return size;
}

/** Counts calls of `count`, in all and at most in one turn of the event loop. */
function countPerTurn() {
  let [total, inTurn, mostPerTurn, stopped] = [0, 0, 0, false];
  const turn = (): void => {
    inTurn = 0;
    if (!stopped) setImmediate(turn);
  };
  turn();
  return {
    count() {
      total += 1;
      inTurn += 1;
      mostPerTurn = Math.max(mostPerTurn, inTurn);
    },
    stop() {
      stopped = true;
      return { total, mostPerTurn };
    },
  };
}
