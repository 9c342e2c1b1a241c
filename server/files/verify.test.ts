import { afterEach, beforeEach, expect, test } from "bun:test";
import { truncate, writeFile } from "node:fs/promises";
import fc from "fast-check";
import type { BlobInspection, Blobs } from "../blobs/port.ts";
import { type Catalog, LEASE_SECONDS } from "../catalog/port.ts";
import { blobId, blockOf } from "../rules/blob-id.ts";
import type { BlobId } from "../rules/records.ts";
import type { BlobIdAllocator } from "./blob-id-allocator.ts";
import type { Finding } from "./finding.ts";
import { createReaper } from "./reaper.ts";
import { openVerifyFixture, type VerifyFixture } from "./verify.fixture.ts";

let bench: VerifyFixture;
beforeEach(async () => {
  bench = await openVerifyFixture();
});
afterEach(() => bench.fixture.end());

/** Ids of one block, which stays leased until the second is called. */
async function lease(count: number): Promise<[BlobId[], BlobIdAllocator, () => Promise<void>]> {
  const allocator = bench.fixture.createAllocator();
  const ids: BlobId[] = [];
  for (let n = 0; n < count; n += 1) ids.push(await allocator.take());
  const end = (): Promise<void> => {
    for (const id of ids) allocator.markCommitted(id);
    return allocator.close();
  };
  return [ids, allocator, end];
}

/** Foreign bytes in the block of a file, as far away from it as can be. */
const neighbour = (id: BlobId): BlobId => blobId(blockOf(id), 255);

test("an empty instance, and one where nothing is wrong", async () => {
  expect(await bench.verify()).toEqual({
    findings: [],
    tally: { files: 0, bytes: 0, passedOver: 0, isComplete: true },
  });
  await bench.addWhole(["", "one", "three"], "a/b");
  expect(await bench.verify()).toEqual({
    findings: [],
    tally: { files: 3, bytes: 8, passedOver: 0, isComplete: true },
  });
});

test("every kind of finding says what is needed to act on it", async () => {
  const [flipped, cut, lost, whole] = await bench.addWhole(["flipped", "cut", "lost", "w"], "a");
  if (!flipped || !cut || !lost || !whole) throw new Error("No files.");
  await bench.flip(flipped);
  await truncate(bench.pathOf(cut), 1);
  await bench.lose(lost);
  const place = bench.fixture.blobs.placeOf(neighbour(whole.blobId));
  await bench.put(place);
  await bench.put("notes/todo.txt");

  const { findings, tally } = await bench.verify();
  const of = ({ id, key, blobId, size, checksum }: typeof flipped) => ({
    ...{ id, key, blobId, size, checksum },
    place: bench.fixture.blobs.placeOf(blobId),
  });
  const found = { size: 7, checksum: expect.any(Number) };
  const short = { size: 1, checksum: expect.any(Number) };
  const expected = [
    { type: "damaged", reason: "checksum", found, ...of(flipped) },
    { type: "damaged", reason: "size", found: short, ...of(cut) },
    { type: "missing", ...of(lost) },
    { type: "foreign", place, blobId: neighbour(whole.blobId), size: 7, leftOver: false },
    { type: "foreign", place: "notes", blobId: null, size: null, leftOver: false },
  ];
  expect(findings).toHaveLength(expected.length);
  expect(findings).toEqual(expect.arrayContaining(expected));
  expect(tally.files).toBe(4);

  const quick = await bench.verify({ depth: "sizes" });
  const seen = quick.findings.map((one) => ("reason" in one ? one.reason : one.type)).sort();
  expect(seen).toEqual(["foreign", "foreign", "missing", "size"]);
  expect(quick.tally.bytes).toBe(0);
});

const anyState = fc.constantFrom(
  ...(["whole", "flipped", "longer", "shorter", "missing", "deleted", "condemned"] as const),
  ...(["foreign", "under way", "left over"] as const),
);

test("exactly what was spoiled is found, whatever is mixed", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyState, { minLength: 1, maxLength: 25 }), async (states) => {
      const of = (wanted: (typeof states)[number]) => states.filter((state) => state === wanted);
      const [dead, , endDead] = await lease(of("left over").length);
      for (const id of dead) await bench.fixture.store(id, "left over");
      bench.fixture.age(LEASE_SECONDS + 5);
      const [alive, , endAlive] = await lease(of("under way").length);
      for (const id of alive) await bench.fixture.store(id, "under way");
      const expected: Finding["type"][] = [];
      for (const state of states) {
        if (state === "left over") expected.push("foreign");
        if (state === "under way" || state === "left over") continue;
        const [file] = await bench.addWhole([`some ${state} bytes`]);
        if (file === undefined) throw new Error("No file.");
        if (state === "flipped") await bench.flip(file);
        if (state === "longer") await writeFile(bench.pathOf(file), "one", { flag: "a" });
        if (state === "shorter") await truncate(bench.pathOf(file), 3);
        if (state === "missing") await bench.lose(file);
        if (["flipped", "longer", "shorter"].includes(state)) expected.push("damaged");
        if (state === "missing") expected.push("missing");
        if (state === "condemned" || state === "deleted") {
          await bench.fixture.catalog.removeFiles([file.id]);
        }
        if (state === "deleted") await reap();
        if (state === "foreign") {
          await bench.put(bench.fixture.blobs.placeOf(neighbour(file.blobId)));
          expected.push("foreign");
        }
      }
      const { findings, tally } = await bench.verify();
      expect(findings.map(({ type }) => type).sort()).toEqual(expected.sort());
      expect(tally.passedOver).toBe(alive.length);
      await Promise.all([endDead(), endAlive()]);
      await bench.fixture.end();
      bench = await openVerifyFixture();
    }),
    { numRuns: 20 },
  );
});

const reap = () =>
  createReaper({
    ledger: bench.fixture.catalog,
    blobs: bench.fixture.blobs,
    onError: bench.fixture.onError,
  }).drain();

/** The same port, but `method` is preceded, or followed, by something that happens just then. */
function around<T extends object, K extends keyof T>(
  port: T,
  method: K,
  when: "before" | "after",
  happens: () => Promise<void>,
): T {
  return new Proxy(port, {
    get(target, name) {
      const own = Reflect.get(target, name);
      if (name !== method || typeof own !== "function") return own;
      return async (...values: unknown[]) => {
        if (when === "before") await happens();
        const result = await own.apply(target, values);
        if (when === "after") await happens();
        return result;
      };
    },
  });
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done = false;
  return async () => {
    if (done) return;
    done = true;
    await work();
  };
}

type Both = { catalog: Catalog; blobs: Blobs & BlobInspection };
const both = (): Both => ({ catalog: bench.fixture.catalog, blobs: bench.fixture.blobs });

test.each(["scan", "sizeOf"] as const)(
  "a file that is deleted just before its %s",
  async (step) => {
    const [file] = await bench.addWhole(["going"]);
    const remove = once(async () => {
      await bench.fixture.catalog.removeFiles([file?.id ?? ""]);
      await reap();
    });
    const blobs = around(both().blobs, step, "before", remove);
    const { findings } = await bench.verify({ blobs, depth: step === "scan" ? "bytes" : "sizes" });
    expect(findings).toEqual([]);
  },
);

/** What may happen to an upload or a deletion between any two questions that a check asks. */
const happenings = {
  "an upload is committed and its block ends": async () => {
    const [ids, allocator, end] = await lease(1);
    for (const id of ids) await bench.fixture.store(id);
    return async () => {
      await bench.fixture.addFiles(allocator, ids);
      await end();
    };
  },
  "an upload is given up and its block ends": async () => {
    const [ids, , end] = await lease(1);
    const writers = await Promise.all(ids.map((id) => bench.fixture.blobs.create(id)));
    return async () => {
      for (const writer of writers) await writer.discard();
      await end();
    };
  },
  "a file is deleted for good": async () => {
    const [file] = await bench.addWhole(["going"]);
    return () => remove(file?.id);
  },
  "an upload is committed, its block ends and it is deleted for good": async () => {
    const [ids, allocator, end] = await lease(1);
    for (const id of ids) await bench.fixture.store(id);
    return async () => {
      const [file] = await bench.fixture.addFiles(allocator, ids);
      await end();
      await remove(file?.id);
    };
  },
};

async function remove(id = ""): Promise<void> {
  await bench.fixture.catalog.removeFiles([id]);
  await reap();
}

for (const [title, prepare] of Object.entries(happenings)) {
  test(`${title}, at any moment of the check: nothing is reported`, async () => {
    for (const when of ["before", "after"] as const) {
      for (const step of ["knownBlobs", "leaseState"] as const) {
        const happens = once(await prepare());
        const catalog = around(both().catalog, step, when, happens);
        const { findings } = await bench.verify({ catalog, depth: "sizes" });
        expect([step, when, findings]).toEqual([step, when, []]);
        await happens();
      }
      for (const step of ["listBlock", "isThere"] as const) {
        const happens = once(await prepare());
        const blobs = around(both().blobs, step, when, happens);
        const { findings } = await bench.verify({ blobs, depth: "sizes" });
        expect([step, when, findings]).toEqual([step, when, []]);
        await happens();
      }
    }
  });
}

test("uploads and deletions without pause: nothing is reported", async () => {
  let isOver = false;
  const busy = async () => {
    const allocator = bench.fixture.createAllocator();
    while (!isOver) {
      const files = await bench.addWith(allocator, ["some", "bytes", "or", "others"]);
      const gone = files.slice(1).map(({ id }) => id);
      await bench.fixture.catalog.removeFiles(gone);
      await reap();
    }
    await allocator.close();
  };
  const busyOnes = [busy(), busy(), busy()];
  for (let round = 0; round < 15; round += 1) {
    expect((await bench.verify()).findings).toEqual([]);
  }
  isOver = true;
  await Promise.all(busyOnes);
}, 60_000);

test("a contradiction in the catalog is told, and the bytes are checked all the same", async () => {
  const [file] = await bench.addWhole(["bytes"]);
  if (file === undefined) throw new Error("No file.");
  await bench.flip(file);
  const catalog: Catalog = {
    ...bench.fixture.catalog,
    async *inspect() {
      yield { problem: "root", id: null, detail: "there is no root folder" };
    },
  };
  const { findings } = await bench.verify({ catalog });
  expect(findings.map(({ type }) => type)).toEqual(["catalog", "damaged"]);
});

test("a catalog whose storage is damaged ends the check", async () => {
  await bench.addWhole(["bytes"]);
  const catalog: Catalog = {
    ...bench.fixture.catalog,
    async *inspect() {
      yield { problem: "storage", id: null, detail: "row 1 missing from index" };
    },
  };
  const { findings, tally } = await bench.verify({ catalog });
  expect(findings.map(({ type }) => type)).toEqual(["catalog"]);
  expect(tally).toEqual({ files: 0, bytes: 0, passedOver: 0, isComplete: false });
});

test("what cannot be read for another reason than damage ends the check", async () => {
  await bench.addWhole(["one", "two", "three"]);
  const blobs = around(both().blobs, "scan", "before", () =>
    Promise.reject(new Error("EACCES: permission denied")),
  );
  await expect(bench.verify({ blobs })).rejects.toThrow("EACCES");
});
