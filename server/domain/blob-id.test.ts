import { expect, test } from "bun:test";
import fc from "fast-check";
import { BLOCK_SIZE, blobId, blockOf, MAX_BLOCK, positionOf } from "./blob-id.ts";

const block = fc.integer({ min: 0, max: MAX_BLOCK });
const position = fc.integer({ min: 0, max: BLOCK_SIZE - 1 });

test("an id contains its block and position, far beyond 32 bits", () => {
  fc.assert(
    fc.property(block, position, (b, n) => {
      const id = blobId(b, n);
      expect(Number.isSafeInteger(id)).toBe(true);
      expect([blockOf(id), positionOf(id)]).toEqual([b, n]);
    }),
  );
  const last = blobId(MAX_BLOCK, BLOCK_SIZE - 1);
  expect([blockOf(last), positionOf(last)]).toEqual([MAX_BLOCK, BLOCK_SIZE - 1]);
});

test("rejects an invalid block or position with a RangeError", () => {
  for (const [b, n] of [
    [-1, 0],
    [MAX_BLOCK + 1, 0],
    [0.5, 0],
    [Number.NaN, 0],
    [0, -1],
    [0, BLOCK_SIZE],
    [0, 1.5],
  ] as const) {
    expect(() => blobId(b, n)).toThrow(RangeError);
  }
});
