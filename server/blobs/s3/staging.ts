import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { diskFault, unlessAbsent } from "../disk/disk-fault.ts";

/** Temporary files for the parts of uploads. */
export interface Staging {
  /** A new file, already unlinked, so that it disappears when it is closed, even by a crash. */
  open(): Promise<FileHandle>;
}

/** Creates the folder if absent, and removes files that a crash left in it. */
export async function createStaging(folder: string): Promise<Staging> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Safe while another process uses the folder: unlinked files stay open.
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

const CHUNK = 64 * 1024;

/** The bytes [start, start + length) of a file, read at the consumer's pace. */
export function streamOf(file: Promise<FileHandle>, start: number, length: number) {
  let position = start;
  const end = start + length;
  // Reused for each chunk: the runtime copies a chunk before it requests the next. If it did not, S3
  // would reject the hash.
  const buffer = new Uint8Array(CHUNK);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = buffer.subarray(0, Math.min(CHUNK, end - position));
        const { bytesRead } = await (await file).read(chunk, 0, chunk.byteLength, position);
        if (bytesRead === 0) throw new Error("The staging file ended too early.");
        position += bytesRead;
        controller.enqueue(chunk.subarray(0, bytesRead));
        if (position === end) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}
