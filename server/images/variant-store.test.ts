import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blobId } from "../domain/blob-id.ts";
import type { BlobId } from "../domain/records.ts";
import { createVariantStore, type VariantStoreDeps } from "./variant-store.ts";

let parent: string;
let folder: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "holdall-variants-"));
  folder = join(parent, "variants");
});
afterEach(() => rmSync(parent, { recursive: true }));

const errors: string[] = [];
const open = (deps: Partial<VariantStoreDeps> = {}) =>
  createVariantStore({
    folder,
    maxBytes: 1_000_000,
    processes: 1,
    minFreeSpace: () => 0,
    onError: (message) => errors.push(message),
    ...deps,
  });

const source = (n: number, block = 7) => ({ blobId: blobId(block, n), size: 5000, checksum: 99 });
const small = { edge: 320, quality: 80, format: "webp" } as const;
const bytes = (length = 10) => new Uint8Array(length).fill(7);
const files = (): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.\w+$/.test(name));

test("keeps a variant by everything that it depends on", async () => {
  const store = open();
  await store.keep(source(1), small, bytes());
  expect(await store.read(source(1), small)).toEqual(bytes());
  for (const other of [{ edge: 321 }, { quality: 81 }, { format: "jpeg" } as const]) {
    expect(await store.read(source(1), { ...small, ...other })).toBeUndefined();
  }
  expect(await store.read(source(2), small)).toBeUndefined();
  expect(await store.read(source(1, 8), small)).toBeUndefined();
  expect(await store.read({ ...source(1), size: 5001 }, small)).toBeUndefined();
  expect(await store.read({ ...source(1), checksum: 98 }, small)).toBeUndefined();
  // Another process, or the next start.
  expect(await open().read(source(1), small)).toEqual(bytes());
  expect(files()).toHaveLength(1);
});

test("a torn file is no variant, and is replaced", async () => {
  const store = open();
  await store.keep(source(1), small, bytes(100));
  const [name = ""] = files();
  for (const length of [107, 8, 7, 0]) {
    truncateSync(join(folder, name), length);
    expect(await store.read(source(1), small)).toBeUndefined();
  }
  writeFileSync(join(folder, name), new Uint8Array(108));
  expect(await store.read(source(1), small)).toBeUndefined();
  await store.keep(source(1), small, bytes(100));
  expect(await store.read(source(1), small)).toEqual(bytes(100));
});

test("removes all variants of the given blobs, and no others", async () => {
  const store = open();
  await store.remove([source(1).blobId]);
  for (const n of [1, 0x10, 0x11]) {
    for (const edge of [320, 800]) await store.keep(source(n), { ...small, edge }, bytes());
  }
  await store.remove([source(1).blobId, source(0x11).blobId, source(1, 99).blobId]);
  expect(await store.read(source(1), small)).toBeUndefined();
  expect(await store.read(source(0x11), small)).toBeUndefined();
  expect(await store.read(source(0x10), small)).toEqual(bytes());
  expect(files()).toHaveLength(2);
});

test("removes the least recently used variants and stays below the maximum", async () => {
  const store = open({ maxBytes: 100_000, processes: 2 });
  for (let n = 0; n < 200; n += 1) {
    await store.keep(source(n), small, bytes(1000));
    // The first stays in use; the others get older.
    expect(await store.read(source(0), small)).toBeDefined();
    for (const name of files()) {
      const age = name.includes("/00-") || name.includes(`${n.toString(16).padStart(2, "0")}-`);
      if (!age) utimesSync(join(folder, name), n, Number.parseInt(name.slice(12, 14), 16));
    }
    expect(files().length * 1008).toBeLessThan(100_000);
  }
  await store.prune();
  expect(await store.read(source(0), small)).toBeDefined();
  expect(await store.read(source(199), small)).toBeDefined();
  expect(await store.read(source(1), small)).toBeUndefined();
});

test("prunes what belongs to blobs that are gone, and old temporary files", async () => {
  const store = open();
  for (const block of [1, 2]) await store.keep(source(3, block), small, bytes());
  writeFileSync(join(folder, "tmp-1-1"), "old");
  utimesSync(join(folder, "tmp-1-1"), 1, 1);
  writeFileSync(join(folder, "tmp-2-1"), "of a running process");
  const asked: BlobId[] = [];
  await store.prune(async (ids) => {
    asked.push(...ids);
    return ids.filter((id) => id === source(3, 2).blobId);
  });
  expect(asked).toHaveLength(2);
  expect(await store.read(source(3, 1), small)).toBeUndefined();
  expect(await store.read(source(3, 2), small)).toBeDefined();
  expect(readdirSync(folder).sort()).toEqual(["00000000002", "tmp-2-1"]);
});

test("prunes while another process removes a folder of variants", async () => {
  const store = open();
  for (const block of [1, 2]) await store.keep(source(3, block), small, bytes());
  // Listed, and absent when it is read.
  symlinkSync(join(parent, "absent"), join(folder, "00000000003"));
  await store.prune(async () => []);
  expect(files()).toEqual([]);
});

test("keeps nothing in the space that is reserved, and says nothing", async () => {
  const store = open({ minFreeSpace: () => Number.MAX_SAFE_INTEGER });
  await store.withTemporaryFile(1, async (path) => writeFileSync(path, "x"));
  await store.keep(source(1), small, bytes());
  expect(files()).toEqual([]);
  expect(errors).toEqual([]);
});

test("temporary files leave half of the free space, also together", async () => {
  const store = open();
  const { bavail, bsize } = statfsSync(parent);
  const third = Math.floor((bavail * bsize) / 3);
  const refused = { kind: "unavailable", retryAfter: 60 };
  let isUsed = false;
  const use = async () => {
    isUsed = true;
  };
  await expect(store.withTemporaryFile(2 * third, use)).rejects.toMatchObject(refused);
  await store.withTemporaryFile(third, async () => {
    await expect(store.withTemporaryFile(1.5 * third, use)).rejects.toMatchObject(refused);
  });
  expect(isUsed).toBe(false);
  await store.withTemporaryFile(third, use);
  expect(isUsed).toBe(true);
});
