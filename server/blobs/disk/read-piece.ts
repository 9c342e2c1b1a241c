import { fstatSync, readSync } from "node:fs";
import type { Slice } from "../port.ts";
import { MAX_SMALL_BYTES } from "../small-blob-cache.ts";
import { errorCode } from "./disk-fault.ts";
import type { OpenFile, OpenFiles } from "./open-files.ts";

/*
 * Up to `MAX_SMALL_BYTES`, reading a file and sending its bytes is faster than sendfile. Synchronous on
 * purpose: all I/O threads may be waiting for an fsync, and popular files are in the page cache.
 */

type Bytes = Uint8Array<ArrayBuffer>;

/** Shared by all reads: allocating a buffer would cost more than the read. */
const scratch = new Uint8Array(MAX_SMALL_BYTES + 1);

/**
 * The bytes of a file of `size` bytes, at most `MAX_SMALL_BYTES`, until the next read; undefined: absent,
 * or another size. Error: the system's.
 */
export const readWhole = (files: OpenFiles, path: string, size: number): Bytes | undefined =>
  readFrom(files, path, ({ descriptor }) =>
    // Requesting one more byte is cheaper than an fstat.
    readSync(descriptor, scratch, 0, size + 1, 0) === size ? scratch.subarray(0, size) : undefined,
  );

/** Like `readWhole`, for a slice of at most `MAX_SMALL_BYTES` of the file. */
export const readPiece = (
  files: OpenFiles,
  path: string,
  size: number,
  { start, end }: Slice,
): Bytes | undefined =>
  readFrom(files, path, (file) => {
    // Once for each opening: it takes as long as a small read.
    file.size ??= sizeOf(file.descriptor);
    if (file.size !== size) return undefined;
    const length = end - start;
    const isWhole = readSync(file.descriptor, scratch, 0, length, start) === length;
    return isWhole ? scratch.subarray(0, length) : undefined;
  });

/** undefined: not a regular file. */
function sizeOf(descriptor: number): number | undefined {
  const found = fstatSync(descriptor);
  return found.isFile() ? found.size : undefined;
}

/** Opens the file again if it is not as expected: it may have been replaced since it was opened. */
function readFrom(
  files: OpenFiles,
  path: string,
  read: (file: OpenFile) => Bytes | undefined,
): Bytes | undefined {
  const known = files.open(path);
  if (known === undefined) return undefined;
  const found = readUnlessFolder(known, read);
  if (found !== undefined) return found;
  files.forget(path);
  const current = files.open(path);
  return current === undefined ? undefined : readUnlessFolder(current, read);
}

function readUnlessFolder(
  file: OpenFile,
  read: (file: OpenFile) => Bytes | undefined,
): Bytes | undefined {
  try {
    return read(file);
  } catch (error) {
    if (errorCode(error) === "EISDIR") return undefined;
    throw error;
  }
}
