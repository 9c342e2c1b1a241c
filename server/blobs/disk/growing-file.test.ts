import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { chmod, mkdtemp, readFile, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blobId } from "../../domain/blob-id.ts";
import type { BlobId } from "../../domain/records.ts";
import type { Blobs } from "../port.ts";
import { createDiskBlobs } from "./disk.ts";
import { blobPath } from "./disk-paths.ts";

const BEGIN = { offset: 0, growth: null };

describe("growing files", () => {
  let parent: string;
  let root: string;
  let blobs: Blobs;
  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), "holdall-growing-"));
    root = join(parent, "blobs");
    blobs = await createDiskBlobs(root);
  });
  afterAll(() => rm(parent, { recursive: true }));

  async function begin(id: BlobId, text: string): Promise<void> {
    const blob = await blobs.grow(id, BEGIN);
    await blob.write(Buffer.from(text));
    expect(await blob.checkpoint()).toEqual({ stored: text.length, growth: null, rest: 0 });
    await blob.close();
  }

  test("are private to their owner and get the mode of committed blobs", async () => {
    const id = blobId(1, 0);
    const modeOf = async () => (await stat(blobPath(root, id))).mode & 0o777;
    await begin(id, "abc");
    expect(await modeOf()).toBe(0o600);
    const blob = await blobs.grow(id, { offset: 3, growth: null });
    await blob.seal();
    expect(await blobs.committedAmong([id])).toEqual([]);
    await blobs.markCommitted([id]);
    expect(await modeOf()).toBe(0o400);
    expect(await blobs.committedAmong([id])).toEqual([id]);
  });

  test("a committed blob does not grow and keeps its bytes", async () => {
    const id = blobId(2, 0);
    await begin(id, "committed");
    await blobs.markCommitted([id]);
    for (const offset of [0, 4, 9]) {
      await expect(blobs.grow(id, { offset, growth: null })).rejects.toThrow();
    }
    await chmod(blobPath(root, id), 0o600);
    expect(await readFile(blobPath(root, id), "utf8")).toBe("committed");
  });

  test("an absent file or too few bytes give the fault gone, with the path as cause", async () => {
    const id = blobId(3, 0);
    const gone = { kind: "gone", cause: { message: expect.stringContaining(blobPath(root, id)) } };
    await expect(blobs.grow(id, { offset: 1, growth: null })).rejects.toMatchObject(gone);
    await begin(id, "abc");
    await expect(blobs.grow(id, { offset: 4, growth: null })).rejects.toMatchObject(gone);
    const blob = await blobs.grow(id, { offset: 3, growth: null });
    expect(await blob.discard()).toBe(true);
  });

  test("a volume that is not mounted is not a loss", async () => {
    const id = blobId(4, 0);
    await begin(id, "abc");
    await rename(root, join(parent, "away"));
    const absent = { code: "ENOENT" };
    await expect(blobs.grow(id, { offset: 3, growth: null })).rejects.toMatchObject(absent);
    await expect(blobs.grow(blobId(5, 0), BEGIN)).rejects.toMatchObject(absent);
    await rename(join(parent, "away"), root);
    const blob = await blobs.grow(id, { offset: 3, growth: null });
    await blob.seal();
  });

  test("the folder of a block stays while one of its blobs grows", async () => {
    const [first, second] = [blobId(6, 0), blobId(6, 1)];
    const blob = await blobs.grow(first, BEGIN);
    await rm(blobPath(root, first));
    await begin(second, "abc");
    await blobs.remove([second]);
    expect((await stat(join(root, "00000000006"))).isDirectory()).toBe(true);
    expect(await blob.discard()).toBe(true);
    await expect(stat(join(root, "00000000006"))).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("no file descriptor leaks, however the work on a blob ends", async () => {
    const open = () => readdirSync("/proc/self/fd").length;
    const chunk = Buffer.alloc(1000);
    const live = async (n: number) => {
      const id = blobId(7, n % 256);
      const blob = await blobs.grow(id, BEGIN);
      const calls: Promise<unknown>[] = [blob.write(chunk), blob.checkpoint(), blob.write(chunk)];
      if (n % 2 === 0) await Promise.all(calls);
      if (n % 3 === 0) calls.push(blob.seal());
      if (n % 5 === 0) calls.push(blob.close());
      if (n % 7 === 0) calls.push(blobs.grow(id, { offset: 10_000, growth: null }));
      if (n % 5 !== 0) calls.push(blob.discard());
      await Promise.allSettled(calls);
    };
    const runBatch = async (from: number) => {
      for (let n = from; n < from + 400; n += 20) {
        await Promise.all(Array.from({ length: 20 }, (_, i) => live(n + i)));
      }
    };
    await runBatch(0);
    const before = open();
    await runBatch(400);
    await runBatch(800);
    expect(open()).toBeLessThanOrEqual(before);
  });
});
