import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { createDiskBlobs } from "../../blobs/disk/disk.ts";
import type { BlobInspection, Blobs, BlobWriter } from "../../blobs/port.ts";
import { blobId } from "../../domain/blob-id.ts";
import type { BlobId } from "../../domain/records.ts";
import { scanParts } from "./scan-parts.ts";

let folder: string;
let blobs: Blobs & BlobInspection;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdall-parts-"));
  blobs = await createDiskBlobs(join(folder, "blobs"));
});
afterEach(() => rm(folder, { recursive: true }));

const COMMON = blobId(1, 1);
const upload = { blobId: COMMON, partSize: 4 };

async function write(writer: BlobWriter | undefined, text: string): Promise<void> {
  await writer?.write(Buffer.from(text));
  await writer?.seal();
}

/** Stores parts of four bytes: those with "-" before their text in blobs of their own, the others in place. */
async function store(texts: readonly string[]) {
  await blobs.partsInPlace?.begin(COMMON);
  const parts = [];
  for (const [index, each] of texts.entries()) {
    const text = each.replace("-", "");
    let own: BlobId | null = null;
    if (each === text) await write(await blobs.partsInPlace?.write(COMMON, index * 4), text);
    else {
      own = blobId(2, index);
      await write(await blobs.create(own), text);
    }
    const content = { size: text.length, md5: "", checksum: crc32(text), checksums: {} };
    parts.push({ ...content, number: index + 1, blobId: own, modifiedAt: 0 });
  }
  return parts;
}

async function scanned(parts: Awaited<ReturnType<typeof store>>) {
  let text = "";
  const areWhole = await scanParts(blobs.scan, upload, parts, (chunk) => {
    text += Buffer.from(chunk).toString();
  });
  return { areWhole, text };
}

test.each([
  [["aaaa", "bbbb", "cc"]],
  [["-aaaa", "-bbbb", "-cc"]],
  [["-aaaa", "bbbb", "-cccc", "-dddd", "eeee", "ff"]],
  [["aaaa", "-bbbb", "cccc", "-dd"]],
  [[]],
])("%j are passed in order", async (texts) => {
  const text = texts.join("").replaceAll("-", "");
  expect(await scanned(await store(texts))).toEqual({ areWhole: true, text });
});

test("only the parts that are asked for are passed", async () => {
  const parts = await store(["aaaa", "bbbb", "-cccc", "dd"]);
  expect(await scanned(parts.slice(0, 1))).toEqual({ areWhole: true, text: "aaaa" });
});

test.each([0, 1, 2])("a part that is damaged or gone is told", async (at) => {
  const parts = await store(["aaaa", "-bbbb", "cccc"]);
  const damaged = parts.map((part, index) => (index === at ? { ...part, checksum: 1 } : part));
  expect((await scanned(damaged)).areWhole).toBe(false);
  await blobs.remove([at === 1 ? blobId(2, 1) : COMMON]);
  expect((await scanned(parts)).areWhole).toBe(false);
});
