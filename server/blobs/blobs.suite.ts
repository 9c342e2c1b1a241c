import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { BLOCK_SIZE, blobId, blockOf } from "../domain/blob-id.ts";
import type { BlobId } from "../domain/records.ts";
import type { BlobBody, BlobInspection, Blobs, Slice } from "./port.ts";

/** A new store and its cleanup. */
export interface BlobsUnderTest {
  readonly blobs: Blobs & BlobInspection;
  close(): Promise<void>;
}

/** The conformance suite of every blob store. Call it once in each adapter's test file. */
export function describeBlobs(name: string, open: () => Promise<BlobsUnderTest>): void {
  describe(`blobs: ${name}`, () => {
    let subject: BlobsUnderTest;
    let blobs: Blobs & BlobInspection;
    let nextBlock = 2 ** 43 + 17;
    const newBlock = () => nextBlock++;
    const newId = () => blobId(newBlock(), 7);

    beforeAll(async () => {
      subject = await open();
      blobs = subject.blobs;
    });
    afterAll(() => subject.close());

    async function store(id: BlobId, ...chunks: Uint8Array[]): Promise<number> {
      const writer = await blobs.create(id);
      let size = 0;
      for (const chunk of chunks) {
        await writer.write(chunk);
        size += chunk.byteLength;
      }
      await writer.seal();
      return size;
    }

    async function readBack(id: BlobId, size: number, slice?: Slice): Promise<Uint8Array> {
      const body = await blobs.read(id, size, slice);
      if (body === undefined) throw new Error("The blob is absent.");
      return bytesOf(body);
    }

    test("reads back any bytes written in any chunks, whole and in slices", async () => {
      const chunk = fc.uint8Array({ maxLength: 5000 });
      await fc.assert(
        fc.asyncProperty(
          fc.array(chunk, { maxLength: 6 }),
          fc.nat(),
          fc.nat(),
          async (chunks, a, b) => {
            const id = newId();
            const whole = Buffer.concat(chunks);
            const size = await store(id, ...chunks);
            expect(Buffer.from(await readBack(id, size)).equals(whole)).toBe(true);
            const [start, end] = [a % (size + 1), b % (size + 1)].sort((x, y) => x - y);
            if (start === undefined || end === undefined || start === end) return;
            const part = Buffer.from(await readBack(id, size, { start, end }));
            expect(part.equals(whole.subarray(start, end))).toBe(true);
          },
        ),
        { numRuns: 60 },
      );
    });

    test("borrowed bytes become responses that later reads do not change", async () => {
      const contents = ["first", "second one", "x".repeat(60_000)];
      const bodies: Promise<string>[] = [];
      for (const content of contents) {
        const id = newId();
        const size = await store(id, Buffer.from(content));
        for (const slice of [undefined, { start: 1, end: 4 }]) {
          bodies.push(new Response(await blobs.borrow(id, size, slice)).text());
        }
      }
      const expected = contents.flatMap((content) => [content, content.slice(1, 4)]);
      expect(await Promise.all(bodies)).toEqual(expected);
      expect(await blobs.borrow(newId(), 5)).toBeUndefined();
    });

    test("the caller may reuse a chunk once its write has resolved", async () => {
      const id = newId();
      const writer = await blobs.create(id);
      // A Buffer: its `slice` is a view, not a copy.
      const chunk = Buffer.alloc(70_000);
      for (let round = 0; round < 5; round++) {
        chunk.fill(round);
        await writer.write(chunk);
      }
      await writer.seal();
      const back = await readBack(id, 350_000);
      for (let round = 0; round < 5; round++) {
        expect(back.subarray(round * 70_000, (round + 1) * 70_000).every((b) => b === round)).toBe(
          true,
        );
      }
    });

    test("stores and reads an empty blob", async () => {
      const id = newId();
      await store(id);
      expect((await readBack(id, 0)).byteLength).toBe(0);
    });

    test("read returns undefined for an absent blob and for a wrong size", async () => {
      const id = newId();
      expect(await blobs.read(id, 3)).toBeUndefined();
      await store(id, Buffer.from("abc"));
      expect(await blobs.read(id, 2)).toBeUndefined();
      expect(await blobs.read(id, 4)).toBeUndefined();
      expect(await blobs.read(blobId(blockOf(id), 8), 3)).toBeUndefined();
      expect(await blobs.read(id, 3)).toBeDefined();
    });

    test("writing an existing id throws and keeps the first content", async () => {
      const id = newId();
      await store(id, Buffer.from("first"));
      await expect(store(id, Buffer.from("other"))).rejects.toThrow();
      expect(Buffer.from(await readBack(id, 5)).toString()).toBe("first");
    });

    test("discard removes a blob that is empty, half written or sealed, and can be repeated", async () => {
      const block = newBlock();
      const fresh = await blobs.create(blobId(block, 0));
      const half = await blobs.create(blobId(block, 1));
      await half.write(Buffer.from("half"));
      const whole = await blobs.create(blobId(block, 2));
      await whole.write(Buffer.from("whole"));
      await whole.seal();
      for (const writer of [fresh, half, whole, whole, half, fresh]) await writer.discard();
      expect(await blobs.listBlock(block)).toEqual([]);
      expect(await blobs.read(blobId(block, 2), 5)).toBeUndefined();
      await expect(half.write(Buffer.from("more"))).rejects.toThrow();
      await expect(half.seal()).rejects.toThrow();
    });

    test("discard during a write or a seal waits for it and leaves nothing", async () => {
      const block = newBlock();
      const chunk = new Uint8Array(4_000_000);
      const writing = await blobs.create(blobId(block, 0));
      const sealing = await blobs.create(blobId(block, 1));
      await sealing.write(chunk);
      const pending = [writing.write(chunk), writing.write(chunk), sealing.seal()];
      const done = Promise.allSettled(pending);
      await Promise.all([writing.discard(), sealing.discard(), writing.discard()]);
      await done;
      expect(await blobs.listBlock(block)).toEqual([]);
    });

    test("an id can be written again after discard", async () => {
      const id = newId();
      await (await blobs.create(id)).discard();
      await store(id, Buffer.from("again"));
      expect(Buffer.from(await readBack(id, 5)).toString()).toBe("again");
    });

    test("remove ignores absent blobs and can be repeated", async () => {
      const [one, two] = [newBlock(), newBlock()];
      const ids = [blobId(one, 0), blobId(one, 1), blobId(two, 255)];
      for (const id of ids) await store(id, Buffer.from("x"));
      const kept = blobId(one, 3);
      await store(kept, Buffer.from("kept"));
      await blobs.remove([...ids, ...ids, newId()]);
      await blobs.remove(ids);
      await blobs.remove([]);
      expect(await blobs.listBlock(one)).toEqual([kept]);
      expect(await blobs.listBlock(two)).toEqual([]);
      expect(Buffer.from(await readBack(kept, 4)).toString()).toBe("kept");
    });

    test("flushBlock can be called at any time and changes no blob", async () => {
      const block = newBlock();
      await blobs.flushBlock(block, new Set());
      const writer = await blobs.create(blobId(block, 0));
      await blobs.flushBlock(block, new Set());
      await writer.write(Buffer.from("x"));
      await writer.seal();
      await blobs.flushBlock(block, new Set());
      expect(await blobs.listBlock(block)).toEqual([blobId(block, 0)]);
      await writer.discard();
      await Promise.all([blobs.flushBlock(block, new Set()), blobs.flushBlock(block, new Set())]);
      expect(await blobs.listBlock(block)).toEqual([]);
    });

    test("listBlock lists sealed blobs, and unfinished ones if they exist already", async () => {
      const block = newBlock();
      expect(await blobs.listBlock(block)).toEqual([]);
      const writer = await blobs.create(blobId(block, 9));
      await writer.write(Buffer.from("x"));
      await store(blobId(block, 200), Buffer.from("y"));
      const listed = new Set(await blobs.listBlock(block));
      expect(listed.has(blobId(block, 200))).toBe(true);
      await writer.seal();
      expect(new Set(await blobs.listBlock(block))).toEqual(
        new Set([blobId(block, 9), blobId(block, 200)]),
      );
    });

    test("listBlocks lists every block with blobs once", async () => {
      const wanted = [newBlock(), newBlock(), newBlock()];
      for (const block of wanted) await store(blobId(block, 0), Buffer.from("x"));
      const listed: number[] = [];
      for await (const block of blobs.listBlocks()) listed.push(block);
      expect(listed).toEqual(expect.arrayContaining(wanted));
      expect(new Set(listed).size).toBe(listed.length);
    });

    test("a block is filled concurrently", async () => {
      const block = newBlock();
      const positions = Array.from({ length: BLOCK_SIZE }, (_, n) => n);
      await Promise.all(positions.map((n) => store(blobId(block, n), Buffer.from(`blob ${n}`))));
      for (const n of positions) {
        const text = `blob ${n}`;
        expect(Buffer.from(await readBack(blobId(block, n), text.length)).toString()).toBe(text);
      }
      expect((await blobs.listBlock(block)).length).toBe(BLOCK_SIZE);
    });

    async function scanToBuffer(id: BlobId): Promise<Buffer | string> {
      const chunks: Buffer[] = [];
      const outcome = await blobs.scan(id, (chunk) => void chunks.push(Buffer.from(chunk)));
      return outcome === "whole" ? Buffer.concat(chunks) : outcome;
    }

    test("concurrent and slow scans receive every byte in order", async () => {
      const contents = [0, 1, 70_000, 3_000_000].map((size) =>
        Buffer.from(Array.from({ length: size }, (_, n) => (n * 7 + size) % 251)),
      );
      const ids = contents.map(() => newId());
      for (const [index, id] of ids.entries()) await store(id, contents[index] ?? Buffer.of());
      const all = await Promise.all([...ids, ...ids].map(scanToBuffer));
      for (const [index, bytes] of all.entries()) {
        expect(Buffer.compare(Buffer.from(bytes), contents[index % 4] ?? Buffer.of())).toBe(0);
      }
      const [, , , large = newId()] = ids;
      const received: Buffer[] = [];
      await blobs.scan(large, async (chunk) => {
        await setImmediate();
        received.push(Buffer.from(chunk));
      });
      expect(Buffer.concat(received).equals(contents[3] ?? Buffer.of())).toBe(true);
    });

    test("scan reports an absent blob and rethrows errors of its callback", async () => {
      const id = newId();
      expect(await scanToBuffer(id)).toBe("absent");
      await store(id, Buffer.from("abc"));
      expect(await scanToBuffer(blobId(blockOf(id), 8))).toBe("absent");
      const failing = blobs.scan(id, () => {
        throw new Error("enough");
      });
      await expect(failing).rejects.toThrow("enough");
      expect(await scanToBuffer(id)).toEqual(Buffer.from("abc"));
    });

    test("sizeOf returns the size, or undefined for an absent blob", async () => {
      const id = newId();
      expect(await blobs.sizeOf(id)).toBeUndefined();
      await store(id, Buffer.from("abc"));
      expect(await blobs.sizeOf(id)).toBe(3);
      await blobs.remove([id]);
      expect(await blobs.sizeOf(id)).toBeUndefined();
    });

    test("marks of committed blobs change no blob, and absent blobs are ignored", async () => {
      const [marked, other, absent] = [newId(), newId(), newId()];
      for (const id of [marked, other]) await store(id, Buffer.from("bytes"));
      await blobs.markCommitted([absent, marked]);
      const found = await blobs.committedAmong([other, marked, absent]);
      expect([[], [marked]]).toContainEqual(found);
      expect(Buffer.from(await readBack(marked, 5)).toString()).toBe("bytes");
      await blobs.remove([marked]);
      expect(await blobs.committedAmong([marked])).toEqual([]);
    });

    test("moveToQuarantine takes blobs out of the store and keeps the others", async () => {
      const block = newBlock();
      const [quarantined, kept] = [blobId(block, 1), blobId(block, 2)];
      await store(quarantined, Buffer.from("quarantined"));
      await store(kept, Buffer.from("kept"));
      const places = [blobs.placeOf(quarantined), blobs.placeOf(blobId(newBlock(), 3))];
      expect(await Promise.all(places.map(blobs.exists))).toEqual([true, false]);
      expect(await blobs.moveToQuarantine(places, "2026")).toEqual(places.slice(0, 1));
      expect(await blobs.moveToQuarantine(places, "2026")).toEqual([]);
      expect(await blobs.exists(blobs.placeOf(quarantined))).toBe(false);
      expect(await blobs.listBlock(block)).toEqual([kept]);
      expect(await scanToBuffer(kept)).toEqual(Buffer.from("kept"));
    });

    test("every blob has a place of its own and is not listed as unrecognized", async () => {
      const block = newBlock();
      const ids = [blobId(block, 0), blobId(block, 255), blobId(newBlock(), 0)];
      for (const id of ids) await store(id, Buffer.from("x"));
      expect(new Set(ids.map(blobs.placeOf)).size).toBe(3);
      expect(await Array.fromAsync(blobs.listUnrecognized())).toEqual([]);
    });

    test("freeSpace returns a number of bytes or null", async () => {
      const free = await blobs.freeSpace();
      if (free !== null) expect(Number.isSafeInteger(free) && free >= 0).toBe(true);
    });
  });
}

/** Reads a body into memory. */
export async function bytesOf(body: BlobBody): Promise<Uint8Array> {
  return new Uint8Array(await new Response(body).arrayBuffer());
}
