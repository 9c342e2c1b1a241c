import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readlinkSync } from "node:fs";
import { appendFile, mkdir, mkdtemp, rm, rmdir, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blobId } from "../../domain/blob-id.ts";
import type { BlobId } from "../../domain/records.ts";
import { until } from "../../files/files.fixture.ts";
import { describeAssembledBlobs, describePartsInPlace } from "../assembled-blobs.suite.ts";
import { bytesOf, describeBlobs } from "../blobs.suite.ts";
import { describeGrowingBlobs } from "../growing-blobs.suite.ts";
import type { Blobs } from "../port.ts";
import { createDiskBlobs } from "./disk.ts";
import { blobPath } from "./disk-paths.ts";

const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), "holdall-blobs-"));

describeBlobs("disk", async () => {
  const folder = await newFolder();
  return {
    blobs: await createDiskBlobs(join(folder, "new", "blobs")),
    close: () => rm(folder, { recursive: true }),
  };
});

for (const suite of [describeAssembledBlobs, describePartsInPlace]) {
  suite("disk", async () => {
    const folder = await newFolder();
    return {
      blobs: await createDiskBlobs(folder),
      close: () => rm(folder, { recursive: true }),
    };
  });
}

describeGrowingBlobs("disk", { unit: 2000, runs: 200 }, async () => {
  const folder = await newFolder();
  const pathOf = (id: BlobId) => blobPath(folder, id);
  return {
    stores: [await createDiskBlobs(folder), await createDiskBlobs(folder)],
    async cutPower(id, stored, outcome) {
      await truncate(pathOf(id), stored);
      if (outcome !== "lost")
        await appendFile(pathOf(id), Buffer.alloc(5000, outcome === "zeros" ? 0 : 0xa5));
    },
    damage: (id, stored) => truncate(pathOf(id), stored - 1),
    close: () => rm(folder, { recursive: true }),
  };
});

describe("blobs on disk", () => {
  let folder: string;
  let blobs: Blobs;
  beforeAll(async () => {
    folder = await newFolder();
    blobs = await createDiskBlobs(folder);
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function store(id: BlobId, content: Uint8Array): Promise<void> {
    const writer = await blobs.create(id);
    await writer.write(content);
    await writer.seal();
  }

  test("creates folders and files that only the owner can read", async () => {
    const root = join(folder, "layout", "blobs");
    const own = await createDiskBlobs(root);
    const writer = await own.create(blobId(0xabc, 10));
    await writer.seal();
    const modeOf = async (path: string) => (await stat(join(root, path))).mode & 0o777;
    expect(await modeOf("00000000abc/0a")).toBe(0o600);
    expect(await modeOf("00000000abc")).toBe(0o700);
    expect(await modeOf(".")).toBe(0o700);
    expect(await (await createDiskBlobs(root)).read(blobId(0xabc, 10), 0)).toBeDefined();
  });

  test("finds the committed blobs, which are read-only for their owner", async () => {
    const ids = [blobId(3, 0), blobId(3, 1)];
    for (const id of ids) await (await blobs.create(id)).seal();
    await blobs.markCommitted(ids.slice(1));
    expect(await blobs.committedAmong(ids)).toEqual(ids.slice(1));
    const { mode } = await stat(join(folder, "00000000003/01"));
    expect(mode & 0o777).toBe(0o400);
  });

  test("ignores entries that are not blobs", async () => {
    const root = join(folder, "foreign");
    const own = await createDiskBlobs(root);
    await mkdir(join(root, "lost+found"));
    await mkdir(join(root, "00000000001", "0b"), { recursive: true });
    await writeFile(join(root, "00000000002"), "a file in a block's place");
    for (const name of ["00000000001/0a.tmp", "00000000001/0A", "00000000001/a", "0000000000G"]) {
      await writeFile(join(root, name), "");
    }
    const blocks: number[] = [];
    for await (const block of own.listBlocks()) blocks.push(block);
    expect(blocks.sort()).toEqual([1, 2]);
    expect(await own.listBlock(1)).toEqual([blobId(1, 0x0b)]);
    expect(await own.listBlock(2)).toEqual([]);
    expect(await own.read(blobId(1, 0x0b), 4096)).toBeUndefined();
    expect(await own.read(blobId(2, 0), 0)).toBeUndefined();
  });

  test("removing the last blob of a block removes its folder", async () => {
    const block = 77;
    const path = join(folder, "0000000004d");
    const exists = async () => (await stat(path).catch(() => undefined)) !== undefined;
    await store(blobId(block, 0), Buffer.from("x"));
    const writer = await blobs.create(blobId(block, 1));
    await blobs.remove([blobId(block, 0)]);
    expect(await exists()).toBe(true);
    await writer.discard();
    expect(await exists()).toBe(false);
    await store(blobId(block, 2), Buffer.from("x"));
    await blobs.remove([blobId(block, 2)]);
    expect(await exists()).toBe(false);
  });

  test("flushBlock removes the empty folder of a block unless it has a writer", async () => {
    const path = join(folder, "0000000004e");
    const exists = async () => (await stat(path).catch(() => undefined)) !== undefined;
    await mkdir(path);
    await blobs.flushBlock(78, new Set());
    expect(await exists()).toBe(false);
    const writer = await blobs.create(blobId(78, 0));
    await blobs.flushBlock(78, new Set());
    await writer.write(Buffer.from("x"));
    await writer.seal();
    expect(await blobs.read(blobId(78, 0), 1)).toBeDefined();
  });

  test("remove and flushBlock reject if the root folder is absent", async () => {
    const root = join(folder, "away");
    const own = await createDiskBlobs(root);
    await rmdir(root);
    await expect(own.remove([blobId(1, 0)])).rejects.toMatchObject({ code: "ENOENT" });
    await expect(own.flushBlock(1, new Set())).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("create rejects if the root folder is absent and does not create it again", async () => {
    const root = join(folder, "unmounted");
    const own = await createDiskBlobs(root);
    await rmdir(root);
    await expect(own.create(blobId(1, 0))).rejects.toMatchObject({ code: "ENOENT" });
    await expect(stat(root)).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("writers survive the concurrent removal of their block's folder", async () => {
    const block = 88;
    const path = join(folder, "00000000058");
    let done = false;
    let removed = 0;
    const remover = async () => {
      while (!done) {
        await rmdir(path).then(
          () => removed++,
          () => {},
        );
        // Without a pause, two removers can starve a writer forever.
        await Bun.sleep(1);
      }
    };
    const worker = async (n: number) => {
      // Until a remover has removed the folder at least once, or has had enough chances.
      for (let round = 0; round < 40 || (removed === 0 && round < 4000); round++) {
        const id = blobId(block, n);
        const content = Buffer.from(`${n} ${round}`);
        if (round % 4 === 3) {
          await (await blobs.create(id)).discard();
          continue;
        }
        await store(id, content);
        const body = await blobs.read(id, content.length);
        expect(body === undefined ? "absent" : Buffer.from(await bytesOf(body))).toEqual(content);
        await blobs.remove([id]);
      }
    };
    const removers = [remover(), remover()];
    try {
      await Promise.all([0, 1, 2, 3].map(worker));
    } finally {
      done = true;
      await Promise.all(removers);
    }
    expect(removed).toBeGreaterThan(0);
    expect(await blobs.listBlock(block)).toEqual([]);
  });

  test("no file descriptor leaks, however the life of a blob ends", async () => {
    const isBelowRoot = (name: string): boolean => {
      try {
        return readlinkSync(`/proc/self/fd/${name}`).startsWith(folder);
      } catch {
        // The descriptor with which the list was read.
        return false;
      }
    };
    const content = Buffer.alloc(1000);
    const live = async (n: number) => {
      const id = blobId(99, n % 256);
      const writer = await blobs.create(id);
      const second = await blobs.create(id).catch(() => undefined);
      expect(second).toBeUndefined();
      const writing = writer.write(content);
      if (n % 3 === 0) await writing;
      const sealing = n % 2 === 0 ? writer.seal() : undefined;
      if (n % 5 === 0) await sealing;
      await blobs.read(id, 1000);
      await Promise.all([writer.discard(), sealing, writing]);
    };
    const runBatch = async (from: number) => {
      for (let n = from; n < from + 1000; n += 20) {
        await Promise.all(Array.from({ length: 20 }, (_, i) => live(n + i)));
      }
    };
    for (const from of [0, 1000, 2000]) await runBatch(from);
    await until(() => !readdirSync("/proc/self/fd").some(isBelowRoot));
  });

  test("a blob that is removed while it is being sent arrives whole", async () => {
    const content = Buffer.alloc(48_000_000);
    for (let i = 0; i < content.length; i += 4) content.writeUInt32LE(i, i);
    const id = blobId(111, 0);
    const slice = { start: 1_000_003, end: 47_000_001 };
    await using server = Bun.serve({
      port: 0,
      async fetch(request) {
        const part = new URL(request.url).pathname === "/slice" ? slice : undefined;
        return new Response((await blobs.read(id, content.length, part)) ?? null);
      },
    });
    for (const path of ["/", "/slice"]) {
      await store(id, content);
      const { body } = await fetch(new URL(path, server.url));
      if (body === null) throw new Error("The response has no body.");
      const received: Uint8Array[] = [];
      for await (const chunk of body) {
        if (received.length === 0) await blobs.remove([id]);
        received.push(chunk);
      }
      expect(await blobs.read(id, content.length)).toBeUndefined();
      const expected = path === "/" ? content : content.subarray(slice.start, slice.end);
      expect(Buffer.concat(received).equals(expected)).toBe(true);
    }
  });
});
