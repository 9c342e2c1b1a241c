import { failing, HoldallError } from "../connection/error.ts";
import { streamOf } from "../connection/stream-of.ts";

export interface LocalFile {
  readonly name: string;
  readonly size: number;
  /** When its content was last changed, in milliseconds since 1970. */
  readonly modified: number;
  /** The bytes from `start` to before `end`. Reading them fails if the file has changed since it was opened. */
  slice(start: number, end: number): ReadableStream<Uint8Array>;
}

const CHUNK = 256 * 1024;

/** Opens a local file. Throws if the file or the file system does not exist. */
export async function openLocalFile(path: string): Promise<LocalFile> {
  const { stat, open, basename } = await fileSystem(path);
  const found = await stat(path).catch(failing(`The file ${path} cannot be read.`));
  if (!found.isFile()) throw new HoldallError(400, `${path} is not a file.`);
  const { size, mtimeMs: modified } = found;
  async function openUnchanged(): Promise<Readable> {
    const file = await open(path);
    const now = await file.stat();
    if (now.size === size && now.mtimeMs === modified) return file;
    await file.close();
    throw new HoldallError(400, `${path} has changed while it was uploaded.`);
  }
  return {
    name: basename(path),
    size,
    modified,
    slice: (start, end) => streamOf(readChunks(openUnchanged, start, end)),
  };
}

interface Readable {
  read(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesRead: number }>;
  close(): Promise<void>;
}

/** Reads on demand, so that only one chunk is in memory. */
async function* readChunks(
  open: () => Promise<Readable>,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  const file = await open();
  try {
    for (let position = start; ; ) {
      const buffer = new Uint8Array(Math.min(CHUNK, end - position));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Throws if this runtime has no file system. `path` is for the message. */
export async function fileSystem(path: string) {
  // Variables keep browser bundlers from resolving the modules.
  const names = { fs: "node:fs/promises", paths: "node:path" };
  try {
    const fs: typeof import("node:fs/promises") = await import(/* @vite-ignore */ names.fs);
    const paths: typeof import("node:path") = await import(/* @vite-ignore */ names.paths);
    return { ...fs, ...paths };
  } catch (cause) {
    return failing(`Cannot read "${path}": this runtime has no file system.`)(cause);
  }
}
