import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { untilNextSecond } from "../../../test/expectations.ts";
import {
  FAULTS,
  type FaultName,
  type FaultProxy,
  startFaultProxy,
} from "../../../test/fault-proxy.ts";
import { multipartUploadsIn } from "../../../test/s3-environment.ts";
import { blobId } from "../../domain/blob-id.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { BlobId } from "../../domain/records.ts";
import { bytesOf } from "../blobs.suite.ts";
import {
  checkpointOf,
  NOTHING,
  offsetOf,
  pattern,
  type Recorded,
  resume,
} from "../growing-blobs.suite.ts";
import type { Blobs, GrowingBlob } from "../port.ts";
import { PART_SIZES } from "./part-sizes.ts";
import { createS3Blobs } from "./s3.ts";
import type { S3Error } from "./s3-error.ts";
import { hasS3Server, s3Server } from "./s3-server.fixture.ts";
import type { S3Settings } from "./s3-settings.ts";

const MIB = 1024 ** 2;
const PART = 5 * MIB;
const START = { offset: 0, growth: null };
/** One in this many requests to S3 fails. */
const ONE_IN = 2;

describe.skipIf(!hasS3Server)("growing blobs on S3", () => {
  let staging: string;
  let settings: S3Settings;
  let proxy: FaultProxy;
  let direct: Blobs;
  let stores: readonly [Blobs, Blobs];
  let faultOf: (head: string) => FaultName | undefined = () => undefined;
  let state = 20_263;
  const random = (sides: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
  const troubles: S3Error[] = [];

  beforeAll(async () => {
    staging = await mkdtemp(join(tmpdir(), "holdall-staging-"));
    settings = await (await s3Server()).fresh();
    proxy = await startFaultProxy(settings.endpoint, (head) => faultOf(head));
    const sizes = { ...PART_SIZES, regular: PART };
    const onTrouble = (trouble: S3Error) => void troubles.push(trouble);
    const open = (change: Partial<S3Settings>) =>
      createS3Blobs({ settings: { ...settings, ...change }, staging, sizes, onTrouble });
    const faulty = { endpoint: proxy.url, timeout: 2000 };
    direct = await open({});
    stores = [await open(faulty), await open(faulty)];
  });
  afterAll(async () => {
    await proxy.close();
    await rm(staging, { recursive: true });
  });

  async function contentOf(id: BlobId, size: number): Promise<Buffer> {
    const body = await direct.read(id, size);
    if (body === undefined) throw new Error("The blob is absent or has another size.");
    return Buffer.from(await bytesOf(body));
  }

  /** Returns whether the attempt succeeded. Only "unavailable" may fail it. */
  async function attempt(
    blob: () => Promise<GrowingBlob>,
    work: (blob: GrowingBlob) => Promise<void>,
  ) {
    let opened: GrowingBlob | undefined;
    try {
      opened = await blob();
      await work(opened);
      return true;
    } catch (error) {
      if (!(error instanceof Fault) || error.kind !== "unavailable") throw error;
      return false;
    } finally {
      await opened?.close();
    }
  }

  /** Uploads the content in pieces, by two processes in turn, with a new attempt after each failure. */
  async function uploadAll(id: BlobId, content: Buffer): Promise<number> {
    let recorded: Recorded = NOTHING;
    let failures = 0;
    for (let isSealed = false; !isSealed; ) {
      const store = stores[random(2)] ?? direct;
      const open = () => resume(store, id, recorded);
      const isDone = await attempt(open, async (blob) => {
        for (let piece = 0; piece < 2; piece += 1) {
          const from = offsetOf(recorded);
          await blob.write(content.subarray(from, from + 3 * MIB));
          recorded = await checkpointOf(blob);
        }
        if (offsetOf(recorded) < content.length) return;
        await blob.seal();
        // Sometimes the process ends before the commit.
        isSealed = random(3) > 0;
      });
      if (!isDone) failures += 1;
    }
    return failures;
  }

  test("loses no byte before a checkpoint and leaves no uploads while S3 requests fail", async () => {
    const sizes = [0, 3, 1.5 * MIB, PART, 7 * MIB, 2 * PART, 13.3 * MIB, 17 * MIB];
    const blobs = sizes.map((size, n) => ({ id: blobId(n + 1, 0), content: pattern(size, n + 1) }));
    faultOf = () => (random(ONE_IN) === 0 ? FAULTS[random(FAULTS.length)] : undefined);
    const failures = await Promise.all(blobs.map(({ id, content }) => uploadAll(id, content)));
    faultOf = () => undefined;
    for (const { id, content } of blobs) {
      expect((await contentOf(id, content.length)).equals(content)).toBe(true);
    }
    expect(await multipartUploadsIn(settings)).toEqual([]);
    expect(failures.reduce((sum, count) => sum + count)).toBeGreaterThan(0);
    expect(Object.keys(proxy.tally.faults).length).toBeGreaterThan(3);
  });

  test("a writer that continues after another one took over cannot mix its bytes in", async () => {
    const id = blobId(100, 0);
    const [one, two] = stores;
    const late = await one.grow(id, START);
    await late.write(pattern(PART + 10, 1));
    const recorded = await checkpointOf(late);
    const current = await resume(two, id, recorded);
    await current.write(pattern(PART, 2));
    const newer = await checkpointOf(current);
    expect(newer.stored).toBe(2 * PART);
    await late.write(pattern(PART, 3));
    await late.checkpoint();
    await late.close();
    await expect(current.seal()).rejects.toMatchObject({ kind: "unavailable" });
    await current.close();
    await expect(
      two.grow(id, { offset: newer.stored, growth: newer.growth }),
    ).rejects.toMatchObject({
      kind: "gone",
    });
    await direct.removeGrowing([id]);
    expect(await multipartUploadsIn(settings)).toEqual([]);
  });

  test("a late writer's seal keeps the upload of the writer that took over", async () => {
    const id = blobId(101, 0);
    const [one, two] = stores;
    const late = await one.grow(id, START);
    await late.write(pattern(PART + 10, 1));
    // The store has the start of an upload in whole seconds.
    await untilNextSecond();
    const current = await two.grow(id, START);
    await current.write(pattern(PART + 20, 2));
    const recorded = await checkpointOf(current);
    await late.seal();
    const resumed = await resume(two, id, recorded);
    await resumed.seal();
    expect((await contentOf(id, PART + 20)).equals(pattern(PART + 20, 2))).toBe(true);
    expect(await multipartUploadsIn(settings)).toEqual([]);
  });

  test("a failed completion is not mistaken for an earlier object of the same size", async () => {
    const id = blobId(105, 0);
    const [one, two] = stores;
    const first = await one.grow(id, START);
    await first.write(pattern(PART, 1));
    const recorded = await checkpointOf(first);
    await first.write(pattern(100, 2));
    await first.seal();
    const second = await resume(two, id, recorded);
    await second.write(pattern(100, 3));
    faultOf = (head) => (head.startsWith("POST") ? "500 instead" : undefined);
    await expect(second.seal()).rejects.toMatchObject({ kind: "unavailable" });
    faultOf = () => undefined;
    const third = await resume(one, id, recorded);
    await third.write(pattern(100, 3));
    await third.seal();
    const expected = Buffer.concat([pattern(PART, 1), pattern(100, 3)]);
    expect((await contentOf(id, PART + 100)).equals(expected)).toBe(true);
    expect(await multipartUploadsIn(settings)).toEqual([]);
  });

  test("requests that close aborts are not reported as errors of the store", async () => {
    const blob = await direct.grow(blobId(102, 0), START);
    const before = troubles.length;
    const writes = [1, 2, 3].map((seed) => blob.write(pattern(PART, seed)));
    const outcomes = Promise.allSettled(writes);
    await blob.close();
    await outcomes;
    expect(troubles.length).toBe(before);
    await direct.removeGrowing([blobId(102, 0)]);
  });

  test("a process that continues its own upload sends one request before the next part", async () => {
    const id = blobId(104, 0);
    const [one] = stores;
    let recorded: Recorded = NOTHING;
    for (let round = 1; round <= 3; round += 1) {
      const before = proxy.tally.requests;
      const blob = await resume(one, id, recorded);
      await blob.write(pattern(PART, round));
      recorded = await checkpointOf(blob);
      await blob.close();
      // The first one starts the multipart upload, the others ask whether it is still there.
      expect(proxy.tally.requests - before).toBe(2);
    }
    const blob = await resume(one, id, recorded);
    await blob.seal();
    const expected = Buffer.concat([1, 2, 3].map((round) => pattern(PART, round)));
    expect((await contentOf(id, 3 * PART)).equals(expected)).toBe(true);
  });

  test("an unknown state is an error that names it", async () => {
    for (const growth of ["", "x", "1 2 3 4", "1 5242880 0123456789abcdef "]) {
      await expect(direct.grow(blobId(103, 0), { offset: 0, growth })).rejects.toThrow(
        `Not the state of a multipart upload: ${JSON.stringify(growth)}.`,
      );
    }
  });
});
