import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blobId } from "../../domain/blob-id.ts";
import type { BlobCopies, BlobWriter } from "../port.ts";
import { createDiskBlobs } from "./disk.ts";
import { createDiskCopies } from "./disk-copies.ts";
import { blobPath } from "./disk-paths.ts";

let folder: string;
let copies: BlobCopies;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "holdall-copies-"));
  copies = await createDiskCopies(join(folder, "new", "blobs"), syncVolume);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The folders that were synced at once. */
const syncedFolders: string[] = [];
const syncVolume = async (path: string): Promise<void> => void syncedFolders.push(path);

const root = (): string => join(folder, "new", "blobs");
const id = blobId(7, 3);

async function copy(text: string): Promise<void> {
  const writer = await copies.create(id);
  await writer.write(Buffer.from(text));
  await writer.seal();
  await copies.place();
}

const textOf = async (size: number): Promise<string | undefined> => {
  const body = await (await createDiskBlobs(root())).read(id, size);
  return body && new Response(body).text();
};

test("a copy exists only once it is sealed and published", async () => {
  const writer = await copies.create(id);
  await writer.write(Buffer.from("by"));
  await writer.write(Buffer.from("tes"));
  expect(await copies.has(id, 5)).toBe(false);
  expect(existsSync(blobPath(root(), id))).toBe(false);
  await writer.seal();
  await copies.place();
  expect(await copies.has(id, 5)).toBe(true);
  expect(await copies.has(id, 4)).toBe(false);
  expect(await copies.has(blobId(7, 4), 0)).toBe(false);
  await copies.flushBlock(7);
  await copies.flushBlock(8);
  expect(await textOf(5)).toBe("bytes");
  expect(statSync(blobPath(root(), id)).mode & 0o777).toBe(0o400);
});

test("a copy replaces a blob of another size, unless it is discarded", async () => {
  await copy("broken");
  const writer = await copies.create(id);
  await writer.write(Buffer.from("wh"));
  expect(await writer.discard()).toBe(true);
  expect(await textOf(6)).toBe("broken");
  await copy("whole");
  expect(await textOf(5)).toBe("whole");
});

test("unfinished copies of a crashed process are started again, or removed by close", async () => {
  const interrupted: BlobWriter[] = [];
  for (const one of [id, blobId(9, 9)]) {
    const writer = await copies.create(one);
    interrupted.push(writer);
    await writer.write(Buffer.from("much longer than what comes after it"));
  }
  copies = await createDiskCopies(root(), syncVolume);
  expect(await copies.has(id, 36)).toBe(false);
  await copy("short");
  expect(await textOf(5)).toBe("short");
  await copies.close();
  expect(readdirSync(root())).toEqual(["00000000007"]);
  // A crashed process would have closed their files.
  for (const writer of interrupted) await writer.discard();
});

test("copies are published in batches with one volume sync", async () => {
  syncedFolders.length = 0;
  for (let n = 0; n < 256; n += 1) {
    const writer = await copies.create(blobId(n % 3, n));
    await writer.write(Buffer.from(`${n}`));
    await writer.seal();
  }
  expect(await copies.has(blobId(0, 255), 3)).toBe(true);
  expect(syncedFolders).toHaveLength(1);
  await copies.close();
  expect(await copies.has(blobId(1, 1), 1)).toBe(true);
});
