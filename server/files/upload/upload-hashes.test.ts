import { afterEach, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import fc from "fast-check";
import type { UploadHash } from "./threaded-hashes.ts";
import { createUploadHashes } from "./upload-hashes.ts";

let hashes = createUploadHashes();
afterEach(() => {
  hashes.close();
  hashes = createUploadHashes();
});

const LARGE = 3_000_000;
const content = Buffer.alloc(LARGE);
for (let at = 0; at < LARGE; at += 1) content[at] = (at * 31) ^ (at >> 8);

async function feed(hash: UploadHash, bytes: Uint8Array, chunkBytes: number): Promise<void> {
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const chunk = Uint8Array.from(bytes.subarray(at, at + chunkBytes));
    await hash.update(chunk);
    // The caller may reuse the chunk.
    chunk.fill(0);
  }
}

const expectedSums = (bytes: Uint8Array) => ({
  size: bytes.length,
  checksum: Bun.hash.crc32(bytes),
  sha256: createHash("sha256").update(bytes).digest("hex"),
});

test("contents of any size and chunks, several at once, get their sums", async () => {
  const anyContent = fc.tuple(fc.nat({ max: LARGE }), fc.integer({ min: 20_000, max: 900_000 }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyContent, { minLength: 1, maxLength: 4 }),
      fc.nat(),
      async (contents, dropped) => {
        await Promise.all(
          contents.map(async ([length, chunkBytes], index) => {
            const bytes = content.subarray(0, length);
            const hash = hashes.create();
            await feed(hash, bytes, chunkBytes);
            if (index === dropped % 5) return hash.drop();
            expect(await hash.end()).toMatchObject(expectedSums(bytes));
            hash.drop();
          }),
        );
      },
    ),
    { numRuns: 25 },
  );
});

test("contents on either side of the limit for the thread get their sums", async () => {
  for (const length of [0, 1, 262_144, 262_145, 1_048_576, 1_048_577, 2_097_152]) {
    const bytes = content.subarray(0, length);
    for (const hash of [hashes.create(), hashes.create(length)]) {
      await feed(hash, bytes, 65_536);
      expect(await hash.end()).toMatchObject(expectedSums(bytes));
    }
  }
});

test("closing fails the contents that are being hashed, and later ones use a new thread", async () => {
  const hash = hashes.create();
  await feed(hash, content, 100_000);
  hashes.close();
  await expect(Promise.resolve(hash.end())).rejects.toThrow("has ended");
  hash.drop();
  const next = hashes.create();
  await feed(next, content, 100_000);
  expect(await next.end()).toMatchObject(expectedSums(content));
});

test("bytes are stored even if the thread has ended meanwhile", async () => {
  const hash = hashes.create();
  const stored: Buffer[] = [];
  await hash.update(content, async (bytes) => void stored.push(Buffer.from(bytes)));
  hashes.close();
  await hash.flush();
  expect(Buffer.concat(stored).equals(content)).toBe(true);
  hash.drop();
});

test.each([0, 1, 2, 3, 4, 5])(
  "no byte is lost if an update comes %i microtasks after a pause began",
  async (microtasks) => {
    const hash = hashes.create();
    const stored: Buffer[] = [];
    const store = async (bytes: Uint8Array) => void stored.push(Buffer.from(bytes));
    const half = LARGE / 2;
    await hash.update(content.subarray(0, half), store);
    // All blocks are hashed by then, so that the pause does not wait for the thread.
    await hash.flush();
    await Bun.sleep(50);
    hash.pause().catch(() => {});
    for (let count = 0; count < microtasks; count += 1) await Promise.resolve();
    await hash.update(content.subarray(half), store);
    expect(await hash.end()).toMatchObject(expectedSums(content));
    expect(Buffer.concat(stored).equals(content)).toBe(true);
  },
);
