import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { BLOCK_SIZE, blobId, blockOf } from "../rules/blob-id.ts";
import type { BlobId } from "../rules/records.ts";
import type { BlobBody, BlobInspection, Blobs, Slice } from "./port.ts";

/** A fresh store, and how to be rid of it. */
export interface BlobsUnderTest {
  readonly blobs: Blobs & BlobInspection;
  close(): Promise<void>;
}

/** What every store of blobs promises. Call it once in each adapter's test file. */
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
      if (body === undefined) throw new Error("The blob is not there.");
      return bytesOf(body);
    }

    test("any bytes in any chunks come back, whole and by slice", async () => {
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

    test("a chunk may be reused once its write has resolved", async () => {
      const id = newId();
      const writer = await blobs.create(id);
      // A Buffer, whose `slice` is no copy.
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

    test("an empty blob is a blob", async () => {
      const id = newId();
      await store(id);
      expect((await readBack(id, 0)).byteLength).toBe(0);
    });

    test("absent, or of another size: undefined", async () => {
      const id = newId();
      expect(await blobs.read(id, 3)).toBeUndefined();
      await store(id, Buffer.from("abc"));
      expect(await blobs.read(id, 2)).toBeUndefined();
      expect(await blobs.read(id, 4)).toBeUndefined();
      expect(await blobs.read(blobId(blockOf(id), 8), 3)).toBeUndefined();
      expect(await blobs.read(id, 3)).toBeDefined();
    });

    test("an id cannot be written twice, and the first bytes stay", async () => {
      const id = newId();
      await store(id, Buffer.from("first"));
      await expect(store(id, Buffer.from("other"))).rejects.toThrow();
      expect(Buffer.from(await readBack(id, 5)).toString()).toBe("first");
    });

    test("what is discarded is gone: at once, half written, sealed, and twice", async () => {
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

    test("a discard during a write or a seal waits its turn and leaves nothing", async () => {
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

    test("after discard the same place can be written by another", async () => {
      const id = newId();
      await (await blobs.create(id)).discard();
      await store(id, Buffer.from("again"));
      expect(Buffer.from(await readBack(id, 5)).toString()).toBe("again");
    });

    test("removing takes what is there, ignores what is not, and can be repeated", async () => {
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

    test("a block is settled at any time, and nothing comes or goes by it", async () => {
      const block = newBlock();
      await blobs.flushBlock(block);
      const begun = await blobs.create(blobId(block, 0));
      await blobs.flushBlock(block);
      await begun.write(Buffer.from("x"));
      await begun.seal();
      await blobs.flushBlock(block);
      expect(await blobs.listBlock(block)).toEqual([blobId(block, 0)]);
      await begun.discard();
      await Promise.all([blobs.flushBlock(block), blobs.flushBlock(block)]);
      expect(await blobs.listBlock(block)).toEqual([]);
    });

    test("a block lists what was begun and what is whole", async () => {
      const block = newBlock();
      expect(await blobs.listBlock(block)).toEqual([]);
      const begun = await blobs.create(blobId(block, 9));
      await begun.write(Buffer.from("x"));
      await store(blobId(block, 200), Buffer.from("y"));
      const listed = new Set(await blobs.listBlock(block));
      expect(listed.has(blobId(block, 200))).toBe(true);
      await begun.seal();
      expect(new Set(await blobs.listBlock(block))).toEqual(
        new Set([blobId(block, 9), blobId(block, 200)]),
      );
    });

    test("all blocks are listed, the emptied ones left out or empty", async () => {
      const wanted = [newBlock(), newBlock(), newBlock()];
      for (const block of wanted) await store(blobId(block, 0), Buffer.from("x"));
      const listed: number[] = [];
      for await (const block of blobs.listBlocks()) listed.push(block);
      expect(listed).toEqual(expect.arrayContaining(wanted));
      expect(new Set(listed).size).toBe(listed.length);
    });

    test("a whole block, filled by many at once", async () => {
      const block = newBlock();
      const positions = Array.from({ length: BLOCK_SIZE }, (_, n) => n);
      await Promise.all(positions.map((n) => store(blobId(block, n), Buffer.from(`blob ${n}`))));
      for (const n of positions) {
        const text = `blob ${n}`;
        expect(Buffer.from(await readBack(blobId(block, n), text.length)).toString()).toBe(text);
      }
      expect((await blobs.listBlock(block)).length).toBe(BLOCK_SIZE);
    });

    async function scanned(id: BlobId): Promise<Buffer | string> {
      const chunks: Buffer[] = [];
      const outcome = await blobs.scan(id, (chunk) => void chunks.push(Buffer.from(chunk)));
      return outcome === "whole" ? Buffer.concat(chunks) : outcome;
    }

    test("a scan gives every byte in order, many at once and however slowly they are taken", async () => {
      const contents = [0, 1, 70_000, 3_000_000].map((size) =>
        Buffer.from(Array.from({ length: size }, (_, n) => (n * 7 + size) % 251)),
      );
      const ids = contents.map(() => newId());
      for (const [index, id] of ids.entries()) await store(id, contents[index] ?? Buffer.of());
      const all = await Promise.all([...ids, ...ids].map(scanned));
      for (const [index, bytes] of all.entries()) {
        expect(Buffer.compare(Buffer.from(bytes), contents[index % 4] ?? Buffer.of())).toBe(0);
      }
      const [, , , large = newId()] = ids;
      const slowly: Buffer[] = [];
      await blobs.scan(large, async (chunk) => {
        await Bun.sleep(1);
        slowly.push(Buffer.from(chunk));
      });
      expect(Buffer.concat(slowly).equals(contents[3] ?? Buffer.of())).toBe(true);
    });

    test("a scan tells what is absent, and hands on what its taker throws", async () => {
      const id = newId();
      expect(await scanned(id)).toBe("absent");
      await store(id, Buffer.from("abc"));
      expect(await scanned(blobId(blockOf(id), 8))).toBe("absent");
      const failing = blobs.scan(id, () => {
        throw new Error("enough");
      });
      await expect(failing).rejects.toThrow("enough");
      expect(await scanned(id)).toEqual(Buffer.from("abc"));
    });

    test("the size is known without reading", async () => {
      const id = newId();
      expect(await blobs.sizeOf(id)).toBeUndefined();
      await store(id, Buffer.from("abc"));
      expect(await blobs.sizeOf(id)).toBe(3);
      await blobs.remove([id]);
      expect(await blobs.sizeOf(id)).toBeUndefined();
    });

    test("what is set aside is out of the store, and the rest stays", async () => {
      const block = newBlock();
      const [aside, kept] = [blobId(block, 1), blobId(block, 2)];
      await store(aside, Buffer.from("aside"));
      await store(kept, Buffer.from("kept"));
      const places = [blobs.placeOf(aside), blobs.placeOf(blobId(newBlock(), 3))];
      expect(await Promise.all(places.map(blobs.exists))).toEqual([true, false]);
      expect(await blobs.moveToQuarantine(places, "2026")).toEqual(places.slice(0, 1));
      expect(await blobs.moveToQuarantine(places, "2026")).toEqual([]);
      expect(await blobs.exists(blobs.placeOf(aside))).toBe(false);
      expect(await blobs.listBlock(block)).toEqual([kept]);
      expect(await scanned(kept)).toEqual(Buffer.from("kept"));
    });

    test("places are told apart, and a store of blobs alone has nothing strange in it", async () => {
      const block = newBlock();
      const ids = [blobId(block, 0), blobId(block, 255), blobId(newBlock(), 0)];
      for (const id of ids) await store(id, Buffer.from("x"));
      expect(new Set(ids.map(blobs.placeOf)).size).toBe(3);
      expect(await Array.fromAsync(blobs.listUnrecognized())).toEqual([]);
    });

    test("free space is a number of bytes, or null", async () => {
      const free = await blobs.freeSpace();
      if (free !== null) expect(Number.isSafeInteger(free) && free >= 0).toBe(true);
    });
  });
}

/** Every byte of a body, in memory: for tests only. */
export async function bytesOf(body: BlobBody): Promise<Uint8Array> {
  return new Uint8Array(await new Response(body).arrayBuffer());
}
