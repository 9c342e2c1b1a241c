import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { blobId } from "../domain/blob-id.ts";
import type { BlobId } from "../domain/records.ts";
import { type BlobsUnderTest, bytesOf } from "./blobs.suite.ts";
import { pattern } from "./growing-blobs.suite.ts";
import type { BlobPiece, Blobs, PartsInPlace } from "./port.ts";

/** The conformance suite of every store that assembles blobs. Call it once in each adapter's test file. */
export function describeAssembledBlobs(name: string, open: () => Promise<BlobsUnderTest>): void {
  describe(`assembled blobs: ${name}`, () => {
    let subject: BlobsUnderTest;
    let blobs: Blobs;
    let nextBlock = 2 ** 42 + 5;
    const newId = (): BlobId => blobId(nextBlock++, 3);

    beforeAll(async () => {
      subject = await open();
      blobs = subject.blobs;
    });
    afterAll(() => subject.close());

    async function store(bytes: Uint8Array): Promise<BlobId> {
      const id = newId();
      const writer = await blobs.create(id);
      await writer.write(bytes);
      await writer.seal();
      return id;
    }

    async function expectBlob(id: BlobId, bytes: Buffer): Promise<void> {
      const body = await blobs.read(id, bytes.length);
      if (body === undefined) throw new Error("The blob is absent or has another size.");
      expect(Buffer.from(await bytesOf(body)).equals(bytes)).toBe(true);
    }

    test("are made of any pieces of other blobs", async () => {
      const sources = await Promise.all(
        [1, 100, 70_000].map(async (size, seed) => {
          const bytes = pattern(size, seed);
          return { id: await store(bytes), bytes };
        }),
      );
      const anyPiece = fc.tuple(fc.nat({ max: 2 }), fc.nat(), fc.nat());
      await fc.assert(
        fc.asyncProperty(fc.array(anyPiece, { maxLength: 5 }), async (wanted) => {
          const pieces: BlobPiece[] = [];
          const expected: Buffer[] = [];
          for (const [index, a, b] of wanted) {
            const source = sources[index];
            if (source === undefined) continue;
            const start = a % source.bytes.length;
            const end = start + 1 + (b % (source.bytes.length - start));
            pieces.push({ blobId: source.id, start, end });
            expected.push(source.bytes.subarray(start, end));
          }
          const id = newId();
          await blobs.assemble(id, pieces);
          await expectBlob(id, Buffer.concat(expected));
        }),
        { numRuns: 20 },
      );
    });

    test("are copies of whole blobs, and of large pieces", async () => {
      const bytes = pattern(12_000_000, 7);
      const source = await store(bytes);
      const copy = newId();
      await blobs.assemble(copy, [{ blobId: source, start: 0, end: bytes.length }]);
      await expectBlob(copy, bytes);
      const joined = newId();
      await blobs.assemble(joined, [
        { blobId: source, start: 1, end: 6_000_000 },
        { blobId: copy, start: 17, end: 5_300_000 },
        { blobId: source, start: 3, end: 4 },
      ]);
      await blobs.remove([source]);
      await expectBlob(
        joined,
        Buffer.concat([
          bytes.subarray(1, 6_000_000),
          bytes.subarray(17, 5_300_000),
          bytes.subarray(3, 4),
        ]),
      );
    });

    test("are gone if a piece is", async () => {
      const source = await store(pattern(1000, 1));
      const id = newId();
      const pieces = [
        { blobId: source, start: 0, end: 1000 },
        { blobId: newId(), start: 0, end: 1000 },
      ];
      await expect(blobs.assemble(id, pieces)).rejects.toMatchObject({ kind: "gone" });
      expect(await blobs.read(id, 2000)).toBeUndefined();
    });

    test("never overwrite a blob", async () => {
      const source = await store(pattern(1000, 1));
      const taken = await store(pattern(10, 2));
      const pieces = [{ blobId: source, start: 0, end: 1000 }];
      await expect(blobs.assemble(taken, pieces)).rejects.toThrow();
      await expectBlob(taken, pattern(10, 2));
    });
  });
}

/** Likewise, of every store that writes parts in place. */
export function describePartsInPlace(name: string, open: () => Promise<BlobsUnderTest>): void {
  describe(`parts in place: ${name}`, () => {
    let subject: BlobsUnderTest;
    let nextBlock = 2 ** 42 + 900_000;
    const newId = (): BlobId => blobId(nextBlock++, 3);

    beforeAll(async () => {
      subject = await open();
    });
    afterAll(() => subject.close());

    function inPlace(): PartsInPlace {
      const { partsInPlace } = subject.blobs;
      if (partsInPlace === null) throw new Error("The store writes no parts in place.");
      return partsInPlace;
    }

    test("are written in any order at once, and cut at the end", async () => {
      const partsInPlace = inPlace();
      const id = newId();
      await partsInPlace.begin(id);
      const size = 300_000;
      const bytes = pattern(4 * size, 3);
      await Promise.all(
        [3, 0, 2, 1].map(async (part) => {
          const writer = await partsInPlace.write(id, part * size);
          const content = bytes.subarray(part * size, (part + 1) * size);
          for (let at = 0; at < size; at += 70_000)
            await writer.write(content.subarray(at, at + 70_000));
          if (part === 3) await writer.discard();
          else await writer.seal();
        }),
      );
      await partsInPlace.complete(id, 3 * size);
      await partsInPlace.complete(id, 3 * size);
      const body = await subject.blobs.read(id, 3 * size);
      if (body === undefined) throw new Error("The blob is absent.");
      expect(Buffer.from(await bytesOf(body)).equals(bytes.subarray(0, 3 * size))).toBe(true);
      await subject.blobs.markCommitted([id]);
      await partsInPlace.complete(id, 3 * size);
    });

    test("need a blob that was started and is not removed", async () => {
      const partsInPlace = inPlace();
      const id = newId();
      const gone = { kind: "gone" };
      await expect(partsInPlace.write(id, 0)).rejects.toMatchObject(gone);
      await partsInPlace.begin(id);
      await expect(partsInPlace.begin(id)).rejects.toThrow();
      await expect(partsInPlace.complete(id, 1)).rejects.toMatchObject(gone);
      await subject.blobs.removeGrowing([id]);
      await expect(partsInPlace.write(id, 0)).rejects.toMatchObject(gone);
      await expect(partsInPlace.complete(id, 0)).rejects.toMatchObject(gone);
    });
  });
}
