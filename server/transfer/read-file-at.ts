import { constants, type Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { crc32 } from "node:zlib";

/** Does not follow a link and does not block on a pipe. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const CHUNK = 256 * 1024;

/**
 * The bytes of a file in chunks, each valid until the next is requested. Throws system errors, and an
 * Error when it is not a regular file or changes while it is read.
 */
export async function* readFileAt(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, OPEN_FLAGS);
  try {
    const before = await regularFile(file);
    const chunk = new Uint8Array(Math.min(CHUNK, before.size + 1));
    for (let position = 0; ; ) {
      const { bytesRead } = await file.read(chunk, 0, chunk.byteLength, position);
      if (bytesRead === 0) break;
      position += bytesRead;
      yield chunk.subarray(0, bytesRead);
    }
    if (!isUnchanged(before, await file.stat())) throw new Error("it changed while it was read");
  } finally {
    await file.close();
  }
}

/** Throws system errors, and an Error when it is not a regular file. Does not follow a link. */
export async function statFile(path: string): Promise<Stats> {
  const file = await open(path, OPEN_FLAGS);
  try {
    return await regularFile(file);
  } finally {
    await file.close();
  }
}

async function regularFile(file: FileHandle): Promise<Stats> {
  const stats = await file.stat();
  if (!stats.isFile()) throw new Error("it is no longer a regular file");
  return stats;
}

const isUnchanged = (before: Stats, after: Stats): boolean =>
  before.size === after.size && before.mtimeMs === after.mtimeMs;

/** CRC-32 of a file's content, unsigned. Throws system errors; does not follow a link. */
export async function checksumOf(path: string): Promise<number> {
  let sum = 0;
  for await (const chunk of readFileAt(path)) sum = crc32(chunk, sum);
  return sum;
}
