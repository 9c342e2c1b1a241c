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

let instance: VerifyFixture;
beforeEach(async () => {
  instance = await openVerifyFixture();
});
afterEach(() => instance.fixture.end());

/** Ids of one block, which stays leased until the second is called. */
async function lease(count: number): Promise<[BlobId[], BlobIdAllocator, () => Promise<void>]> {
  const allocator = instance.fixture.createAllocator();
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
  expect(await instance.verify()).toEqual({
    findings: [],
    tally: { files: 0, bytes: 0, passedOver: 0, isComplete: true },
  });
  await instance.addWhole(["", "one", "three"], "a/b");
  expect(await instance.verify()).toEqual({
    findings: [],
    tally: { files: 3, bytes: 8, passedOver: 0, isComplete: true },
  });
});

test("every kind of finding says what is needed to act on it", async () => {
  const [flipped, cut, lost, whole] = await instance.addWhole(["flipped", "cut", "lost", "w"], "a");
  if (!flipped || !cut || !lost || !whole) throw new Error("No files.");
  await instance.flip(flipped);
  await truncate(instance.pathOf(cut), 1);
  await instance.lose(lost);
  const place = instance.fixture.blobs.placeOf(neighbour(whole.blobId));
  await instance.put(place);
  await instance.put("notes/todo.txt");

  const { findings, tally } = await instance.verify();
  const of = ({ id, key, blobId, size, checksum }: typeof flipped) => ({
    ...{ id, key, blobId, size, checksum },
    place: instance.fixture.blobs.placeOf(blobId),
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

  const quick = await instance.verify({ depth: "sizes" });
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
      for (const id of dead) await instance.fixture.store(id, "left over");
      instance.fixture.age(LEASE_SECONDS + 5);
      const [alive, , endAlive] = await lease(of("under way").length);
      for (const id of alive) await instance.fixture.store(id, "under way");
      const expected: Finding["type"][] = [];
      for (const state of states) {
        if (state === "left over") expected.push("foreign");
        if (state === "under way" || state === "left over") continue;
        const [file] = await instance.addWhole([`some ${state} bytes`]);
        if (file === undefined) throw new Error("No file.");
        if (state === "flipped") await instance.flip(file);
        if (state === "longer") await writeFile(instance.pathOf(file), "one", { flag: "a" });
        if (state === "shorter") await truncate(instance.pathOf(file), 3);
        if (state === "missing") await instance.lose(file);
        if (["flipped", "longer", "shorter"].includes(state)) expected.push("damaged");
        if (state === "missing") expected.push("missing");
        if (state === "condemned" || state === "deleted") {
          await instance.fixture.catalog.removeFiles([file.id]);
        }
        if (state === "deleted") await reap();
        if (state === "foreign") {
          await instance.put(instance.fixture.blobs.placeOf(neighbour(file.blobId)));
          expected.push("foreign");
        }
      }
      const { findings, tally } = await instance.verify();
      expect(findings.map(({ type }) => type).sort()).toEqual(expected.sort());
      expect(tally.passedOver).toBe(alive.length);
      await Promise.all([endDead(), endAlive()]);
      await instance.fixture.end();
      instance = await openVerifyFixture();
    }),
    { numRuns: 20 },
  );
});

const reap = () =>
  createReaper({
    ledger: instance.fixture.catalog,
    blobs: instance.fixture.blobs,
    onError: instance.fixture.onError,
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
const both = (): Both => ({ catalog: instance.fixture.catalog, blobs: instance.fixture.blobs });

test.each(["scan", "sizeOf"] as const)(
  "a file that is deleted just before its %s",
  async (step) => {
    const [file] = await instance.addWhole(["going"]);
    const remove = once(async () => {
      await instance.fixture.catalog.removeFiles([file?.id ?? ""]);
      await reap();
    });
    const blobs = around(both().blobs, step, "before", remove);
    const { findings } = await instance.verify({
      blobs,
      depth: step === "scan" ? "bytes" : "sizes",
    });
    expect(findings).toEqual([]);
  },
);

/** What may happen to an upload or a deletion between any two questions that a check asks. */
const happenings = {
  "an upload is committed and its block ends": async () => {
    const [ids, allocator, end] = await lease(1);
    for (const id of ids) await instance.fixture.store(id);
    return async () => {
      await instance.fixture.addFiles(allocator, ids);
      await end();
    };
  },
  "an upload is given up and its block ends": async () => {
    const [ids, , end] = await lease(1);
    const writers = await Promise.all(ids.map((id) => instance.fixture.blobs.create(id)));
    return async () => {
      for (const writer of writers) await writer.discard();
      await end();
    };
  },
  "a file is deleted for good": async () => {
    const [file] = await instance.addWhole(["going"]);
    return () => remove(file?.id);
  },
  "an upload is committed, its block ends and it is deleted for good": async () => {
    const [ids, allocator, end] = await lease(1);
    for (const id of ids) await instance.fixture.store(id);
    return async () => {
      const [file] = await instance.fixture.addFiles(allocator, ids);
      await end();
      await remove(file?.id);
    };
  },
};

async function remove(id = ""): Promise<void> {
  await instance.fixture.catalog.removeFiles([id]);
  await reap();
}

for (const [title, prepare] of Object.entries(happenings)) {
  test(`${title}, at any moment of the check: nothing is reported`, async () => {
    for (const when of ["before", "after"] as const) {
      for (const step of ["knownBlobs", "leaseState"] as const) {
        const happens = once(await prepare());
        const catalog = around(both().catalog, step, when, happens);
        const { findings } = await instance.verify({ catalog, depth: "sizes" });
        expect([step, when, findings]).toEqual([step, when, []]);
        await happens();
      }
      for (const step of ["listBlock", "exists"] as const) {
        const happens = once(await prepare());
        const blobs = around(both().blobs, step, when, happens);
        const { findings } = await instance.verify({ blobs, depth: "sizes" });
        expect([step, when, findings]).toEqual([step, when, []]);
        await happens();
      }
    }
  });
}

test("uploads and deletions without pause: nothing is reported", async () => {
  let isOver = false;
  const busy = async () => {
    const allocator = instance.fixture.createAllocator();
    while (!isOver) {
      const files = await instance.addWith(allocator, ["some", "bytes", "or", "others"]);
      const gone = files.slice(1).map(({ id }) => id);
      await instance.fixture.catalog.removeFiles(gone);
      await reap();
    }
    await allocator.close();
  };
  const busyOnes = [busy(), busy(), busy()];
  for (let round = 0; round < 15; round += 1) {
    expect((await instance.verify()).findings).toEqual([]);
  }
  isOver = true;
  await Promise.all(busyOnes);
}, 60_000);

test("a contradiction in the catalog is told, and the bytes are checked all the same", async () => {
  const [file] = await instance.addWhole(["bytes"]);
  if (file === undefined) throw new Error("No file.");
  await instance.flip(file);
  const catalog: Catalog = {
    ...instance.fixture.catalog,
    async *inspect() {
      yield { problem: "root", id: null, detail: "there is no root folder" };
    },
  };
  const { findings } = await instance.verify({ catalog });
  expect(findings.map(({ type }) => type)).toEqual(["catalog", "damaged"]);
});

test("a catalog whose storage is damaged ends the check", async () => {
  await instance.addWhole(["bytes"]);
  const catalog: Catalog = {
    ...instance.fixture.catalog,
    async *inspect() {
      yield { problem: "storage", id: null, detail: "row 1 missing from index" };
    },
  };
  const { findings, tally } = await instance.verify({ catalog });
  expect(findings.map(({ type }) => type)).toEqual(["catalog"]);
  expect(tally).toEqual({ files: 0, bytes: 0, passedOver: 0, isComplete: false });
});

test("what cannot be read for another reason than damage ends the check", async () => {
  await instance.addWhole(["one", "two", "three"]);
  const blobs = around(both().blobs, "scan", "before", () =>
    Promise.reject(new Error("EACCES: permission denied")),
  );
  await expect(instance.verify({ blobs })).rejects.toThrow("EACCES");
});
