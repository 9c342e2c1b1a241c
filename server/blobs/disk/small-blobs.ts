import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { createRecent } from "../../rules/recent.ts";
import type { BlobId } from "../../rules/records.ts";
import type { Slice } from "../port.ts";
import { diskFault, unlessAbsent } from "./disk-fault.ts";
import { blobPath } from "./disk-paths.ts";

/** Up to this many bytes, to read and to send them costs less than to hand over a file. */
export const SMALL = 64 * 1024;

/** What a blob takes beside its bytes, estimated. */
const OVERHEAD = 300;

/** The bytes of small blobs, those that were read lately from memory: a blob never changes. */
export interface SmallBlobs {
  /**
   * undefined: no bytes of exactly this size are there. On the serving thread, on purpose: the
   * threads may all be waiting for an fsync, and what is wanted often is in the system's memory.
   */
  read(id: BlobId, size: number): Blob | undefined;
  forget(ids: readonly BlobId[]): void;
}

/** Keeps up to `most` bytes of those below `root`. */
export function createSmallBlobs(root: string, most: number): SmallBlobs {
  const recent = createRecent<BlobId, Blob>(most);
  return {
    read(id, size) {
      const kept = recent.get(id);
      if (kept !== undefined) return kept.size === size ? kept : undefined;
      const blob = readWhole(blobPath(root, id), size);
      if (blob !== undefined) recent.set(id, blob, size + OVERHEAD);
      return blob;
    },
    forget(ids) {
      for (const id of ids) recent.delete(id);
    },
  };
}

/** A blob copies what it is made of. New memory for each read would cost more than the read. */
const scratch = new Uint8Array(SMALL + 1);

/** As `readPiece`, of everything: to ask for one byte more costs less than to ask for the size. */
function readWhole(path: string, size: number): Blob | undefined {
  const file = openOrNothing(path);
  if (file === undefined) return undefined;
  try {
    if (readSync(file, scratch, 0, size + 1, 0) !== size) return undefined;
    return new Blob([scratch.subarray(0, size)]);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EISDIR") return undefined;
    throw error;
  } finally {
    closeSync(file);
  }
}

/** At most `SMALL` bytes of the file, on this thread; undefined when it has not exactly `size` bytes. */
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
