import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { Slice } from "../port.ts";
import { MAX_SMALL_BYTES } from "../small-blob-cache.ts";
import { diskFault, unlessAbsent } from "./disk-fault.ts";

/*
 * Up to `MAX_SMALL_BYTES`, reading a file and sending its bytes is faster than sendfile. Synchronous on
 * purpose: all I/O threads may be waiting for an fsync, and popular files are in the page cache.
 */

/** Shared by all reads, as `new Blob` copies it: allocating a buffer would cost more than the read. */
const scratch = new Uint8Array(MAX_SMALL_BYTES + 1);

/** The bytes of a file of `size` bytes, at most `MAX_SMALL_BYTES`; undefined: absent, or another size. */
export function readWhole(path: string, size: number): Blob | undefined {
  const file = openOrAbsent(path);
  if (file === undefined) return undefined;
  try {
    // Requesting one more byte is cheaper than an fstat.
    if (readSync(file, scratch, 0, size + 1, 0) !== size) return undefined;
    return new Blob([scratch.subarray(0, size)]);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EISDIR") return undefined;
    throw error;
  } finally {
    closeSync(file);
  }
}

/** A slice of at most `MAX_SMALL_BYTES`; undefined: the file is absent or does not have `size` bytes. */
export function readPiece(path: string, size: number, { start, end }: Slice): Blob | undefined {
  const file = openOrAbsent(path);
  if (file === undefined) return undefined;
  try {
    const found = fstatSync(file);
    if (!found.isFile() || found.size !== size) return undefined;
    const length = end - start;
    if (readSync(file, scratch, 0, length, start) !== length) return undefined;
    return new Blob([scratch.subarray(0, length)]);
  } finally {
    closeSync(file);
  }
}

function openOrAbsent(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch (error) {
    unlessAbsent(diskFault(error));
    return undefined;
  }
}
