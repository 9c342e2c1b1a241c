import type { BlobId } from "./records.ts";

/** Blobs per block. */
export const BLOCK_SIZE = 256;

/** Blocks are integers below 2^44, so that every id stays below 2^52 and exact. */
export const MAX_BLOCK = 2 ** 44 - 1;

/**
 * The id of the n-th blob of a block. RangeError (a bug): `block` is not in 0 … MAX_BLOCK, or `n` is
 * not in 0 … BLOCK_SIZE - 1.
 */
export function blobId(block: number, n: number): BlobId {
  if (!Number.isInteger(block) || block < 0 || block > MAX_BLOCK) {
    throw new RangeError(`A block is a whole number from 0 to ${MAX_BLOCK}, not ${block}.`);
  }
  if (!Number.isInteger(n) || n < 0 || n >= BLOCK_SIZE) {
    throw new RangeError(`A position is a whole number from 0 to ${BLOCK_SIZE - 1}, not ${n}.`);
  }
  return (block * BLOCK_SIZE + n) as BlobId;
}

// Arithmetic only: JavaScript's bit operators would truncate an id to 32 bits.

/** The block that the blob is in. */
export function blockOf(id: BlobId): number {
  return Math.floor(id / BLOCK_SIZE);
}

/** The position of the blob in its block: 0 … BLOCK_SIZE - 1. */
export function positionOf(id: BlobId): number {
  return id % BLOCK_SIZE;
}
