import { randomFillSync } from "node:crypto";

/** Random content of a file: `size` bytes of a shared pool, from an offset on. */
export interface Content {
  readonly from: number;
  readonly size: number;
}

const POOL_BYTES = 64 * 1024 * 1024;
const pool = randomFillSync(Buffer.alloc(POOL_BYTES));

/** New random content of this size, at most 60 MiB. */
export function newContent(size: number): Content {
  return { from: Math.floor(Math.random() * (POOL_BYTES - size)), size };
}

/** Bytes [start, end) of a content. Read-only. */
export function bytesOf({ from, size }: Content, start = 0, end = size): Buffer {
  return pool.subarray(from + start, from + Math.min(end, size));
}

/** Whether these are the bytes of the content from `start` on. */
export function isPartOf(content: Content, bytes: Uint8Array, start = 0): boolean {
  return (
    start + bytes.length <= content.size &&
    bytesOf(content, start, start + bytes.length).equals(bytes)
  );
}

export function isContent(content: Content, bytes: Uint8Array): boolean {
  return bytes.length === content.size && isPartOf(content, bytes);
}
