import type { FileHandle } from "node:fs/promises";

/** Writes a whole chunk at a position: one call may write less. */
export async function writeAll(
  file: Pick<FileHandle, "write">,
  chunk: Uint8Array,
  position: number,
): Promise<void> {
  for (let done = 0; done < chunk.byteLength; ) {
    const left = chunk.byteLength - done;
    const { bytesWritten } = await file.write(chunk, done, left, position + done);
    if (bytesWritten === 0) throw new Error("The disk accepted no bytes.");
    done += bytesWritten;
  }
}
