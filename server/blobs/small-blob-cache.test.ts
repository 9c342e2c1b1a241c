import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { blobId } from "../domain/blob-id.ts";
import { parseKey } from "../domain/names/name.ts";
import type { BlobId, Sha256 } from "../domain/records.ts";
import { createDiskBlobs } from "./disk/disk.ts";
import { blobPath } from "./disk/disk-paths.ts";
import type { DamagedRead, StoredContent } from "./port.ts";
import { MAX_SMALL_BYTES, withSmallBlobCache } from "./small-blob-cache.ts";

const MEMORY = 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), "holdall-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

let last = 0;

/** The record that a blob with these bytes has. */
const contentOf = (bytes: Uint8Array, hasDigest = true): StoredContent => ({
  id: "file",
  key: parseKey("a.txt"),
  checksum: crc32(bytes),
  sha256: hasDigest ? toSha256(bytes) : null,
});

async function storeBlob(bytes: Uint8Array, content = contentOf(bytes)) {
  const root = join(folder, "blobs");
  const damages: DamagedRead[] = [];
  const blobs = withSmallBlobCache(await createDiskBlobs(root), MEMORY, (damage) =>
    damages.push(damage),
  );
  last += 1;
  const id = blobId(1, last);
  const writer = await blobs.create(id);
  await writer.write(bytes);
  await writer.seal();
  const read = async (slice?: { start: number; end: number }, size = bytes.length) => {
    const body = await blobs.read(id, size, slice, content);
    return body === undefined ? undefined : new Response(body).bytes();
  };
  return { blobs, id, read, damages, path: blobPath(root, id) };
}

const toSha256 = (bytes: Uint8Array) => Bun.CryptoHasher.hash("sha256", bytes, "hex") as Sha256;

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));

test.each([0, 1, 4096, MAX_SMALL_BYTES - 1, MAX_SMALL_BYTES, MAX_SMALL_BYTES + 1])(
  "reads %d bytes whole and in slices",
  async (size) => {
    const bytes = random(size);
    const { read } = await storeBlob(bytes);
    for (let time = 0; time < 2; time += 1) {
      expect(await read()).toEqual(bytes);
      for (const [start, end] of [
        [0, 1],
        [size >> 1, size],
        [3, 17],
      ] as const) {
        if (end > size || start >= end) continue;
        expect(await read({ start, end })).toEqual(bytes.slice(start, end));
      }
    }
  },
);

test("a small blob is cached on its second read, until it is removed", async () => {
  const bytes = random(4096);
  const { blobs, id, read, path } = await storeBlob(random(4096), contentOf(bytes));
  await read();
  writeFileSync(path, bytes);
  expect(await read()).toEqual(bytes);
  writeFileSync(path, random(4096));
  expect(await read()).toEqual(bytes);
  expect(await read({ start: 10, end: 20 })).toEqual(bytes.slice(10, 20));
  expect(await read(undefined, 4095)).toBeUndefined();
  await blobs.remove([id]);
  expect(await read()).toBeUndefined();
});

test("most reads of a set that is just larger than the cache find their blob there", async () => {
  const store = await createDiskBlobs(join(folder, "blobs"));
  let fromStore = 0;
  const counting: typeof store = {
    ...store,
    borrow(...input) {
      fromStore += 1;
      return store.borrow(...input);
    },
  };
  const blobs = withSmallBlobCache(counting, MEMORY, () => {});
  const set: { id: BlobId; content: StoredContent }[] = [];
  while (set.length * MAX_SMALL_BYTES < 1.1 * MEMORY) {
    const bytes = random(MAX_SMALL_BYTES);
    set.push({ id: (await storeBlob(bytes)).id, content: contentOf(bytes) });
  }
  const rounds = 200;
  for (let round = 0; round < rounds; round += 1) {
    for (const { id, content } of set) await blobs.read(id, MAX_SMALL_BYTES, undefined, content);
  }
  expect(fromStore).toBeGreaterThanOrEqual(set.length);
  expect(fromStore / (rounds * set.length)).toBeLessThan(0.4);
});

test("a blob enters the cache only through reads that say what it must be", async () => {
  const bytes = random(4096);
  const { blobs, id, read, path } = await storeBlob(bytes);
  for (let time = 0; time < 3; time += 1) await blobs.read(id, bytes.length);
  writeFileSync(path, random(4096));
  expect(await new Response(await blobs.read(id, bytes.length)).bytes()).not.toEqual(bytes);
  writeFileSync(path, bytes);
  expect(await read()).toEqual(bytes);
});

test.each([
  ["digest", true],
  ["checksum", false],
] as const)(
  "a damaged blob does not enter the cache: its %s differs, which is reported once",
  async (reason, hasDigest) => {
    const bytes = random(4096);
    const { id, read, path, damages } = await storeBlob(bytes, contentOf(bytes, hasDigest));
    await read();
    const flipped = bytes.with(1000, (bytes[1000] ?? 0) ^ 1);
    writeFileSync(path, flipped);
    for (const slice of [undefined, { start: 0, end: 1 }, undefined]) {
      await expect(read(slice)).rejects.toThrow("The stored content of this file is damaged");
    }
    expect(damages).toEqual([
      {
        type: "damaged",
        reason,
        blobId: id,
        size: 4096,
        ...contentOf(bytes, hasDigest),
        found: { size: 4096, checksum: crc32(flipped), sha256: toSha256(flipped) },
      },
    ]);
    writeFileSync(path, bytes);
    expect(await read()).toEqual(bytes);
    expect(await read({ start: 7, end: 9 })).toEqual(bytes.slice(7, 9));
  },
);

test("a damaged blob is refused also while the cache is full", async () => {
  const { blobs, read } = await storeBlob(random(4096), contentOf(random(4096)));
  await read();
  await expect(read()).rejects.toThrow("The stored content of this file is damaged");
  for (let filled = 0; filled < 2 * MEMORY; filled += MAX_SMALL_BYTES) {
    const bytes = random(MAX_SMALL_BYTES);
    last += 1;
    const other = blobId(1, last);
    const writer = await blobs.create(other);
    await writer.write(bytes);
    await writer.seal();
    const content = contentOf(bytes);
    for (let time = 0; time < 2; time += 1)
      await blobs.read(other, bytes.length, undefined, content);
  }
  for (let time = 0; time < 20; time += 1) {
    await expect(read()).rejects.toThrow("The stored content of this file is damaged");
  }
});

test("concurrently read slices do not share their bytes", async () => {
  const bytes = random(MAX_SMALL_BYTES * 4);
  const { blobs, id } = await storeBlob(bytes);
  const pieces = Array.from({ length: 8 }, (_, n) => ({
    start: n * 1000,
    end: n * 1000 + MAX_SMALL_BYTES,
  }));
  const bodies = await Promise.all(pieces.map((slice) => blobs.read(id, bytes.length, slice)));
  for (const [n, { start, end }] of pieces.entries()) {
    expect(await new Response(bodies[n]).bytes()).toEqual(bytes.slice(start, end));
  }
});

test("read returns undefined if the file has another size than expected", async () => {
  for (const size of [4096, MAX_SMALL_BYTES * 2]) {
    const { read, path } = await storeBlob(random(size));
    truncateSync(path, size - 1);
    expect(await read()).toBeUndefined();
    expect(await read({ start: 0, end: 10 })).toBeUndefined();
  }
});
