import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { blobId, blockOf } from "../domain/blob-id.ts";
import type { BlobId } from "../domain/records.ts";
import { bytesOf } from "./blobs.suite.ts";
import type { BlobInspection, Blobs, GrowingBlob, GrowingBlobs } from "./port.ts";

export type GrowingStore = Blobs & BlobInspection;

/** A new store, opened by two processes, and its cleanup. */
export interface GrowingBlobsUnderTest {
  readonly stores: readonly [GrowingStore, GrowingStore];
  /** What a power cut may do to the bytes after `stored` of a blob that no process has open. */
  cutPower(id: BlobId, stored: number, outcome: "lost" | "zeros" | "garbage"): Promise<void>;
  /** Loses bytes before `stored`. */
  damage(id: BlobId, stored: number): Promise<void>;
  close(): Promise<void>;
}

/** A chunk has up to ten units. */
interface Sizes {
  readonly unit: number;
  readonly runs: number;
}

/** What a caller keeps of a checkpoint, and the bytes that it promises. */
export interface Recorded {
  readonly growth: string | null;
  readonly stored: number;
  readonly rest: Buffer;
}

export const NOTHING: Recorded = { growth: null, stored: 0, rest: Buffer.of() };
export const offsetOf = ({ stored, rest }: Recorded): number => stored + rest.length;

type Step =
  | { readonly type: "write"; readonly size: number; readonly seed: number }
  | { readonly type: "checkpoint"; readonly withRest: boolean }
  | { readonly type: "resume"; readonly store: number }
  | { readonly type: "cut"; readonly outcome: "lost" | "zeros" | "garbage" }
  | { readonly type: "seal" };

const steps = (unit: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          type: fc.constant("write" as const),
          size: fc.oneof(
            fc.nat(10 * unit),
            fc.nat(10).map((n) => n * unit),
          ),
          seed: fc.nat(255),
        }),
      },
      {
        weight: 3,
        arbitrary: fc.record({ type: fc.constant("checkpoint" as const), withRest: fc.boolean() }),
      },
      fc.record({ type: fc.constant("resume" as const), store: fc.nat(1) }),
      fc.record({
        type: fc.constant("cut" as const),
        outcome: fc.constantFrom("lost" as const, "zeros" as const, "garbage" as const),
      }),
      fc.record({ type: fc.constant("seal" as const) }),
    ),
    { maxLength: 14 },
  );

/** Bytes whose every 8 KiB differ. */
export function pattern(size: number, seed: number): Buffer {
  const bytes = Buffer.alloc(size, seed);
  for (let at = 0; at + 4 <= size; at += 8192) bytes.writeUInt32LE(seed * 1_000_003 + at, at);
  return bytes;
}

export async function checkpointOf(blob: GrowingBlob): Promise<Recorded> {
  const { stored, growth, rest } = await blob.checkpoint();
  const pieces: Buffer[] = [];
  await blob.readRest((chunk) => void pieces.push(Buffer.from(chunk)));
  const bytes = Buffer.concat(pieces);
  expect(bytes.length).toBe(rest);
  return { stored, growth, rest: bytes };
}

/** Grows the blob and writes its rest again. */
export async function resume(
  store: GrowingBlobs,
  id: BlobId,
  recorded: Recorded,
): Promise<GrowingBlob> {
  const blob = await store.grow(id, { offset: offsetOf(recorded), growth: recorded.growth });
  expect(blob.start).toBe(recorded.stored);
  await blob.write(recorded.rest);
  return blob;
}

/** The conformance suite of every store of growing blobs. Call it once in each adapter's test file. */
export function describeGrowingBlobs(
  name: string,
  { unit, runs }: Sizes,
  open: () => Promise<GrowingBlobsUnderTest>,
): void {
  describe(`growing blobs: ${name}`, () => {
    let subject: GrowingBlobsUnderTest;
    let store: GrowingStore;
    let other: GrowingStore;
    let nextBlock = 2 ** 42 + 5;
    const newId = () => blobId(nextBlock++, 3);

    beforeAll(async () => {
      subject = await open();
      [store, other] = subject.stores;
    });
    afterAll(() => subject.close());

    async function contentOf(id: BlobId, size: number): Promise<Buffer> {
      const body = await store.read(id, size);
      if (body === undefined) throw new Error("The blob is absent or has another size.");
      return Buffer.from(await bytesOf(body));
    }

    /** Runs the steps on a new blob, seals it and compares its bytes with the model's. */
    async function run(all: readonly Step[]): Promise<void> {
      const id = newId();
      let current = 0;
      let recorded = NOTHING;
      let written = Buffer.of();
      let blob = await store.grow(id, { offset: 0, growth: null });
      const regrow = async (): Promise<void> => {
        written = written.subarray(0, offsetOf(recorded));
        blob = await resume(subject.stores[current] ?? store, id, recorded);
      };
      for (const step of all) {
        if (step.type === "write") {
          const chunk = pattern(step.size, step.seed);
          await blob.write(chunk);
          written = Buffer.concat([written, chunk]);
          chunk.fill(0);
        } else if (step.type === "checkpoint") {
          const found = await checkpointOf(blob);
          expect(offsetOf(found)).toBe(written.length);
          recorded = step.withRest ? found : laterOf(recorded, { ...found, rest: Buffer.of() });
        } else if (step.type === "resume") {
          await blob.close();
          current = step.store;
          await regrow();
        } else if (step.type === "cut") {
          await blob.close();
          await subject.cutPower(id, recorded.stored, step.outcome);
          await regrow();
        } else {
          // The process ends after the seal and before the blob's record is committed.
          await blob.seal();
          await regrow();
        }
      }
      await blob.seal();
      expect((await contentOf(id, written.length)).equals(written)).toBe(true);
      expect(await store.listBlock(blockOf(id))).toEqual([id]);
      await store.removeGrowing([id]);
      expect(await store.listBlock(blockOf(id))).toEqual([]);
    }

    test("keeps every byte before the last checkpoint and none after it", async () => {
      await fc.assert(fc.asyncProperty(steps(unit), run), { numRuns: runs });
    });

    test("a checkpoint covers the writes before it, while others go on", async () => {
      const id = newId();
      const chunks = [1, 2, 3, 4].map((seed) => pattern(7 * unit, seed));
      const blob = await store.grow(id, { offset: 0, growth: null });
      const pending = chunks.flatMap((chunk) => [blob.write(chunk), blob.checkpoint()]);
      const results = await Promise.all(pending);
      const totals = results.flatMap((found) =>
        found === undefined ? [] : [found.stored + found.rest],
      );
      expect(totals).toEqual([7, 14, 21, 28].map((units) => units * unit));
      await blob.seal();
      expect((await contentOf(id, 28 * unit)).equals(Buffer.concat(chunks))).toBe(true);
    });

    test("the caller may reuse a chunk once its write has resolved", async () => {
      const id = newId();
      const blob = await store.grow(id, { offset: 0, growth: null });
      const chunk = Buffer.alloc(3 * unit);
      for (let round = 0; round < 4; round++) await blob.write(chunk.fill(round));
      await blob.seal();
      const content = await contentOf(id, 12 * unit);
      const expected = [0, 1, 2, 3].map((round) => Buffer.alloc(3 * unit, round));
      expect(content.equals(Buffer.concat(expected))).toBe(true);
    });

    test("seals an empty blob", async () => {
      const id = newId();
      const blob = await store.grow(id, { offset: 0, growth: null });
      expect(await checkpointOf(blob)).toEqual(NOTHING);
      await blob.seal();
      expect((await contentOf(id, 0)).length).toBe(0);
    });

    test("begins again at offset 0", async () => {
      const id = newId();
      const first = await store.grow(id, { offset: 0, growth: null });
      await first.write(pattern(9 * unit, 1));
      await first.close();
      const second = await other.grow(id, { offset: 0, growth: null });
      await second.write(pattern(unit, 2));
      await second.seal();
      expect((await contentOf(id, unit)).equals(pattern(unit, 2))).toBe(true);
    });

    test("may end earlier than an attempt that was given up, or sealed and not committed", async () => {
      const id = newId();
      const first = await store.grow(id, { offset: 0, growth: null });
      await first.write(pattern(8 * unit, 1));
      const recorded = await checkpointOf(first);
      await first.write(pattern(21 * unit, 2));
      await first.checkpoint();
      await first.close();
      const second = await resume(other, id, recorded);
      await second.seal();
      expect((await contentOf(id, 8 * unit)).equals(pattern(8 * unit, 1))).toBe(true);
      const third = await resume(store, id, recorded);
      await third.write(pattern(21 * unit, 3));
      await third.seal();
      const fourth = await resume(other, id, recorded);
      await fourth.write(pattern(5 * unit, 4));
      const later = await checkpointOf(fourth);
      await fourth.close();
      const fifth = await resume(store, id, later);
      await fifth.seal();
      const expected = Buffer.concat([pattern(8 * unit, 1), pattern(5 * unit, 4)]);
      expect((await contentOf(id, 13 * unit)).equals(expected)).toBe(true);
    });

    test("a second grow in the same process ends the first one", async () => {
      const id = newId();
      const first = await store.grow(id, { offset: 0, growth: null });
      await first.write(pattern(9 * unit, 1));
      const recorded = await checkpointOf(first);
      const ended = first.write(pattern(9 * unit, 2)).catch(() => {});
      const second = await resume(store, id, recorded);
      await ended;
      await expect(first.write(pattern(unit, 3))).rejects.toThrow("closed");
      await expect(first.seal()).rejects.toThrow("closed");
      expect(await first.discard()).toBe(true);
      await second.write(pattern(unit, 4));
      await second.seal();
      const expected = Buffer.concat([pattern(9 * unit, 1), pattern(unit, 4)]);
      expect((await contentOf(id, 10 * unit)).equals(expected)).toBe(true);
    });

    test("of two concurrent grows the later one writes", async () => {
      const id = newId();
      const start = { offset: 0, growth: null };
      const [first, second] = await Promise.all([store.grow(id, start), store.grow(id, start)]);
      await expect(first.write(pattern(unit, 1))).rejects.toThrow("closed");
      await second.write(pattern(unit, 2));
      await second.seal();
      expect((await contentOf(id, unit)).equals(pattern(unit, 2))).toBe(true);
    });

    test("close ends every call and can be repeated, also after seal", async () => {
      const id = newId();
      const blob = await store.grow(id, { offset: 0, growth: null });
      await Promise.all([blob.close(), blob.close()]);
      for (const call of [
        () => blob.write(pattern(1, 1)),
        () => blob.checkpoint(),
        () => blob.readRest(() => {}),
        () => blob.seal(),
      ]) {
        await expect(call()).rejects.toThrow("closed");
      }
      const again = await store.grow(id, { offset: 0, growth: null });
      await again.write(Buffer.from("whole"));
      await again.seal();
      await again.close();
      await expect(again.write(pattern(1, 1))).rejects.toThrow("sealed");
      expect((await contentOf(id, 5)).toString()).toBe("whole");
    });

    test("discard removes a blob that is started, grown or sealed, and can be repeated", async () => {
      const block = nextBlock++;
      const started = await store.grow(blobId(block, 0), { offset: 0, growth: null });
      const grown = await store.grow(blobId(block, 1), { offset: 0, growth: null });
      await grown.write(pattern(11 * unit, 1));
      await grown.checkpoint();
      const sealed = await store.grow(blobId(block, 2), { offset: 0, growth: null });
      await sealed.write(pattern(11 * unit, 2));
      await sealed.seal();
      for (const blob of [started, grown, sealed, sealed, grown, started]) {
        expect(await blob.discard()).toBe(true);
      }
      await expect(grown.write(pattern(1, 1))).rejects.toThrow("discarded");
      expect(await store.listBlock(block)).toEqual([]);
    });

    test("removeGrowing removes growing blobs of another process", async () => {
      const block = nextBlock++;
      const ids = [blobId(block, 0), blobId(block, 1), blobId(nextBlock++, 255)];
      for (const id of ids) {
        const blob = await store.grow(id, { offset: 0, growth: null });
        await blob.write(pattern(11 * unit, 1));
        await blob.checkpoint();
        await blob.close();
      }
      await other.removeGrowing(ids.slice(1));
      expect(await store.listBlock(block)).toEqual(ids.slice(0, 1));
      await other.removeGrowing(ids.slice(0, 1));
      expect(await store.listBlock(block)).toEqual([]);
    });

    test("flushBlock keeps the growing blobs that are known", async () => {
      const block = nextBlock++;
      const id = blobId(block, 4);
      const blob = await store.grow(id, { offset: 0, growth: null });
      await blob.write(pattern(11 * unit, 1));
      const recorded = await checkpointOf(blob);
      await blob.close();
      await other.flushBlock(block, new Set([id]));
      await store.flushBlock(block, new Set([id]));
      const resumed = await resume(other, id, recorded);
      await resumed.seal();
      expect((await contentOf(id, 11 * unit)).equals(pattern(11 * unit, 1))).toBe(true);
    });

    test("lost bytes before the offset give the fault gone", async () => {
      for (const again of [store, other]) {
        const id = newId();
        const blob = await store.grow(id, { offset: 0, growth: null });
        await blob.write(pattern(11 * unit, 1));
        const recorded = await checkpointOf(blob);
        await blob.close();
        await subject.damage(id, recorded.stored);
        await expect(resume(again, id, recorded)).rejects.toMatchObject({ kind: "gone" });
      }
    });
  });
}

/** Without its rest, a checkpoint may promise less than an earlier one that was recorded with its rest. */
const laterOf = (before: Recorded, now: Recorded): Recorded =>
  offsetOf(now) < offsetOf(before) ? before : now;
