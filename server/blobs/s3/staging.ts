import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { diskFault, unlessAbsent } from "../disk/disk-fault.ts";

/** Makes files for bytes that are on their way. */
export interface Staging {
  /** A file that has no name any more, so that it is gone with its handle, however that comes. */
  open(): Promise<FileHandle>;
}

/** A folder for such files, which is made when it is not there. What a crash may have left in it goes. */
export async function createStaging(folder: string): Promise<Staging> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Another process may be about to do the same: what is unlinked stays open.
  for (const name of await readdir(folder)) await unlink(join(folder, name)).catch(unlessAbsent);
  return {
    async open() {
      const path = join(folder, randomUUID());
      try {
        const file = await open(path, "wx+", 0o600);
        await unlink(path).catch(unlessAbsent);
        return file;
      } catch (error) {
        throw diskFault(error);
      }
    },
  };
}

/** So much is read at once of what is sent. */
const CHUNK = 64 * 1024;

/** The bytes [start, start + length) of a file, at the reader's pace. */
export function streamOf(file: Promise<FileHandle>, start: number, length: number) {
  let position = start;
  const end = start + length;
  // Used again for each chunk: what is sent has been copied by the time that more is asked for, and
  // if it ever were not, S3 would see another hash.
  const own = new Uint8Array(CHUNK);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = own.subarray(0, Math.min(CHUNK, end - position));
        const { bytesRead } = await (await file).read(chunk, 0, chunk.byteLength, position);
        if (bytesRead === 0) throw new Error("The staged bytes are gone.");
        position += bytesRead;
        controller.enqueue(chunk.subarray(0, bytesRead));
        if (position === end) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}
