import { afterEach, beforeEach, expect, test } from "bun:test";
import { truncate, writeFile } from "node:fs/promises";
import fc from "fast-check";
import type { BlobInspection, Blobs } from "../../blobs/port.ts";
import { LEASE_SECONDS } from "../../catalog/port/blob-ledger.ts";
import type { Catalog } from "../../catalog/port/catalog.ts";
import { blobId, blockOf } from "../../domain/blob-id.ts";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import type { BlobId } from "../../domain/records.ts";
import { createReaper } from "../reaper.ts";
import type { BlobIdAllocator } from "../upload/blob-id-allocator.ts";
import type { Finding } from "./finding.ts";
import { openVerifyFixture, type VerifyFixture } from "./verify.fixture.ts";

let instance: VerifyFixture;
beforeEach(async () => {
  instance = await openVerifyFixture();
});
afterEach(() => instance.fixture.end());

/** Ids of one block, its allocator, and a function that ends its lease. */
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

/** The last id in the block of a file, which no file has. */
const unusedId = (id: BlobId): BlobId => blobId(blockOf(id), 255);

test("finds nothing in an empty instance, nor in an undamaged one", async () => {
  expect(await instance.verify()).toEqual({
    findings: [],
    tally: { files: 0, bytes: 0, withoutDigest: 0, passedOver: 0, isComplete: true },
  });
  await instance.addFiles(["", "one", "three"], "a/b");
  expect(await instance.verify()).toEqual({
    findings: [],
    tally: { files: 3, bytes: 8, withoutDigest: 0, passedOver: 0, isComplete: true },
  });
});

test("every type of finding has its details", async () => {
  const [flipped, truncated, lost, intact] = await instance.addFiles(
    ["flipped", "cut", "lost", "i"],
    "a",
  );
  if (!flipped || !truncated || !lost || !intact) throw new Error("No files.");
  await instance.flipBit(flipped);
  await truncate(instance.pathOf(truncated), 1);
  await instance.deleteBlob(lost);
  const place = instance.fixture.blobs.placeOf(unusedId(intact.blobId));
  await instance.writeToStore(place);
  await instance.writeToStore("notes/todo.txt");

  const { findings, tally } = await instance.verify();
  const of = ({ id, key, blobId, size, checksum, sha256 }: typeof flipped) => ({
    id,
    key,
    blobId,
    size,
    checksum,
    sha256,
    place: instance.fixture.blobs.placeOf(blobId),
  });
  const sums = { checksum: expect.any(Number), sha256: expect.stringMatching(/^[0-9a-f]{64}$/) };
  const found = { size: 7, ...sums };
  const short = { size: 1, ...sums };
  const expected = [
    { type: "damaged", reason: "checksum", found, ...of(flipped) },
    { type: "damaged", reason: "size", found: short, ...of(truncated) },
    { type: "missing", ...of(lost) },
    { type: "foreign", place, blobId: unusedId(intact.blobId), size: 7, leftOver: false },
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

test("a content with the CRC-32 of the record but another SHA-256 is damaged", async () => {
  const [file, older] = await instance.addFiles(["content", "older"]);
  if (file === undefined || older === undefined) throw new Error("No files.");
  await instance.fixture.setDigest(file, "0".repeat(64));
  await instance.fixture.setDigest(older, null);
  const { findings, tally } = await instance.verify();
  expect(findings).toMatchObject([
    { type: "damaged", id: file.id, reason: "digest", sha256: "0".repeat(64) },
  ]);
  expect(findings).toMatchObject([{ found: { checksum: file.checksum, sha256: file.sha256 } }]);
  expect(tally.withoutDigest).toBe(1);
  expect((await instance.verify({ depth: "sizes" })).findings).toEqual([]);
  expect(await instance.fixture.catalog.fileById(COMMAND_EVERYWHERE, older.id)).toMatchObject({
    sha256: null,
  });
});

const anyState = fc.constantFrom(
  ...(["intact", "flipped", "longer", "shorter", "missing", "deleted", "condemned"] as const),
  ...(["foreign", "in progress", "expired"] as const),
);

test("finds exactly the damage in any mix of files", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyState, { minLength: 1, maxLength: 25 }), async (states) => {
      const of = (wanted: (typeof states)[number]) => states.filter((state) => state === wanted);
      const [expired, , endExpired] = await lease(of("expired").length);
      for (const id of expired) await instance.fixture.store(id, "expired");
      instance.fixture.age(2 * LEASE_SECONDS + 5);
      const [active, , endActive] = await lease(of("in progress").length);
      for (const id of active) await instance.fixture.store(id, "in progress");
      const expected: Finding["type"][] = [];
      for (const state of states) {
        if (state === "expired") expected.push("foreign");
        if (state === "in progress" || state === "expired") continue;
        const [file] = await instance.addFiles([`some ${state} bytes`]);
        if (file === undefined) throw new Error("No file.");
        if (state === "flipped") await instance.flipBit(file);
        if (state === "longer") await writeFile(instance.pathOf(file), "one", { flag: "a" });
        if (state === "shorter") await truncate(instance.pathOf(file), 3);
        if (state === "missing") await instance.deleteBlob(file);
        if (["flipped", "longer", "shorter"].includes(state)) expected.push("damaged");
        if (state === "missing") expected.push("missing");
        if (state === "condemned" || state === "deleted") {
          await instance.fixture.catalog.removeFiles(COMMAND_EVERYWHERE, [file.id]);
        }
        if (state === "deleted") await reap();
        if (state === "foreign") {
          await instance.writeToStore(instance.fixture.blobs.placeOf(unusedId(file.blobId)));
          expected.push("foreign");
        }
      }
      const { findings, tally } = await instance.verify();
      expect(findings.map(({ type }) => type).sort()).toEqual(expected.sort());
      expect(tally.passedOver).toBe(active.length);
      await Promise.all([endExpired(), endActive()]);
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

/** The same port, but `happens` runs before or after each call of `method`. */
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
  "does not report a file that is deleted just before its %s",
  async (step) => {
    const [file] = await instance.addFiles(["content"]);
    const remove = once(async () => {
      await instance.fixture.catalog.removeFiles(COMMAND_EVERYWHERE, [file?.id ?? ""]);
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

/** What may happen to an upload or a deletion between any two steps of a check. */
const concurrentChanges = {
  "an upload is committed and its lease ends": async () => {
    const [ids, allocator, end] = await lease(1);
    for (const id of ids) await instance.fixture.store(id);
    return async () => {
      await instance.fixture.addFiles(allocator, ids);
      await end();
    };
  },
  "an upload is aborted and its lease ends": async () => {
    const [ids, , end] = await lease(1);
    const writers = await Promise.all(ids.map((id) => instance.fixture.blobs.create(id)));
    return async () => {
      for (const writer of writers) await writer.discard();
      await end();
    };
  },
  "a file and its blob are deleted": async () => {
    const [file] = await instance.addFiles(["content"]);
    return () => remove(file?.id);
  },
  "an upload is committed, its lease ends and the file and its blob are deleted": async () => {
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
  await instance.fixture.catalog.removeFiles(COMMAND_EVERYWHERE, [id]);
  await reap();
}

for (const [title, prepare] of Object.entries(concurrentChanges)) {
  test(`reports nothing if ${title} at any step of the check`, async () => {
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

test("reports nothing during continuous uploads and deletions", async () => {
  let isDone = false;
  const churn = async () => {
    const allocator = instance.fixture.createAllocator();
    while (!isDone) {
      const files = await instance.addFilesWith(allocator, ["some", "bytes", "or", "others"]);
      const removed = files.slice(1).map(({ id }) => id);
      await instance.fixture.catalog.removeFiles(COMMAND_EVERYWHERE, removed);
      await reap();
    }
    await allocator.close();
  };
  const running = [churn(), churn(), churn()];
  for (let round = 0; round < 15; round += 1) {
    expect((await instance.verify()).findings).toEqual([]);
  }
  isDone = true;
  await Promise.all(running);
});

test("reports an inconsistency in the catalog and still checks the blobs", async () => {
  const [file] = await instance.addFiles(["bytes"]);
  if (file === undefined) throw new Error("No file.");
  await instance.flipBit(file);
  const catalog: Catalog = {
    ...instance.fixture.catalog,
    async *inspect() {
      yield { problem: "root", id: null, detail: "there is no root folder" };
    },
  };
  const { findings } = await instance.verify({ catalog });
  expect(findings.map(({ type }) => type)).toEqual(["catalog", "damaged"]);
});

test("damaged storage of the catalog ends the check", async () => {
  await instance.addFiles(["bytes"]);
  const catalog: Catalog = {
    ...instance.fixture.catalog,
    async *inspect() {
      yield { problem: "storage", id: null, detail: "row 1 missing from index" };
    },
  };
  const { findings, tally } = await instance.verify({ catalog });
  expect(findings.map(({ type }) => type)).toEqual(["catalog"]);
  expect(tally).toEqual({ files: 0, bytes: 0, withoutDigest: 0, passedOver: 0, isComplete: false });
});

test("a read error that is not damage ends the check", async () => {
  await instance.addFiles(["one", "two", "three"]);
  const blobs = around(both().blobs, "scan", "before", () =>
    Promise.reject(new Error("EACCES: permission denied")),
  );
  await expect(instance.verify({ blobs })).rejects.toThrow("EACCES");
});
