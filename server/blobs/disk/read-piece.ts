import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { Slice } from "../port.ts";
import { MAX_SMALL_BYTES } from "../small-blob-cache.ts";
import { diskFault, unlessAbsent } from "./disk-fault.ts";

/*
 * Up to `MAX_SMALL_BYTES` bytes, to read and to send them costs less than to hand over a file. On the serving
 * thread, on purpose: the others may all be waiting for an fsync, and what is wanted often is in the
 * system's memory.
 */

/** A blob copies what it is made of. New memory for each read would cost more than the read. */
const scratch = new Uint8Array(MAX_SMALL_BYTES + 1);

/** The bytes of the file; undefined when it has not exactly `size`, at most `MAX_SMALL_BYTES`. */
export function readWhole(path: string, size: number): Blob | undefined {
  const file = openOrNothing(path);
  if (file === undefined) return undefined;
  try {
    // To ask for one byte more costs less than to ask for the size.
    if (readSync(file, scratch, 0, size + 1, 0) !== size) return undefined;
    return new Blob([scratch.subarray(0, size)]);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EISDIR") return undefined;
    throw error;
  } finally {
    closeSync(file);
  }
}

/** At most `MAX_SMALL_BYTES` bytes of the file; undefined when it has not exactly `size` bytes. */
export function readPiece(path: string, size: number, { start, end }: Slice): Blob | undefined {
  const file = openOrNothing(path);
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

function openOrNothing(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch (error) {
    unlessAbsent(diskFault(error));
    return undefined;
  }
}
