import type { Stats } from "node:fs";
import { lstat, mkdir, open, rename, rm, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { BlobInspection } from "../blobs/port.ts";
import type { FileRecord } from "../rules/records.ts";
import { checkBytes } from "./check-bytes.ts";
import { checksumOf } from "./checksum-of.ts";
import { isFull, messageOf, unlessAbsent } from "./system-error.ts";

/**
 * The name of the folder in which files lie until they are whole. Its name ends with the ohm sign, which is not
 * in NFC and so in no name of ours: no file or folder of a user's can be in its place.
 */
export const UNFINISHED = ".holdall-unfinished-\u2126";

export interface FileWriter {
  /** Puts a file at the path, unless the same is there. `onBytes` hears how it comes along. */
  put(file: FileRecord, path: string, onBytes: (bytes: number) => void): Promise<Outcome>;
  /** Clears away what is unfinished. */
  close(): Promise<void>;
}

export type Outcome = "written" | "there" | { readonly problem: string };

/** An empty folder for what is unfinished; what an earlier try has left in it goes. */
export async function openUnfinished(root: string): Promise<string> {
  const path = join(root, UNFINISHED);
  // A link in its place is removed and not followed.
  await rm(path, { recursive: true, force: true });
  await mkdir(path, { mode: 0o700 });
  return path;
}

/** Writes files, each into `unfinished` first: synced and checked, it is moved into its place. */
export function createFileWriter(unfinished: string, blobs: BlobInspection): FileWriter {
  let next = 0;

  return {
    async put(file, path, onBytes) {
      try {
        const found = await lstat(path).catch(unlessAbsent);
        if (found !== undefined) {
          if (await isSame(file, path, found)) {
            onBytes(file.size);
            return "there";
          }
          return { problem: "something else is there already, and was left alone" };
        }
        next += 1;
        // Of this process alone, in case that another exports into the same folder.
        const draft = join(unfinished, `${process.pid}-${next}`);
        const problem = await write(file, draft, onBytes);
        if (problem !== null) return { problem };
        await rename(draft, path);
        return "written";
      } catch (error) {
        if (isFull(error)) throw error;
        return { problem: messageOf(error) };
      }
    },
    close: () => rm(unfinished, { recursive: true, force: true }),
  };

  /** null, or why the file's bytes are not the right ones; then the draft is gone. */
  async function write(
    file: FileRecord,
    draft: string,
    onBytes: (bytes: number) => void,
  ): Promise<string | null> {
    const handle = await open(draft, "wx");
    let problem: string | null = "it was not finished";
    try {
      let position = 0;
      problem = await checkBytes(blobs, file, async (chunk) => {
        for (let done = 0; done < chunk.byteLength; ) {
          const left = chunk.byteLength - done;
          const { bytesWritten } = await handle.write(chunk, done, left, position);
          if (bytesWritten === 0) throw new Error("The disk took none of the bytes.");
          done += bytesWritten;
          position += bytesWritten;
        }
        onBytes(chunk.byteLength);
      });
      if (problem === null) {
        const modified = file.modifiedAt / 1000;
        await handle.utimes(modified, modified);
        await handle.sync();
      }
    } finally {
      await handle.close();
      if (problem !== null) await unlink(draft).catch(unlessAbsent);
    }
    return problem;
  }
}

/** By size and time, or where a disk keeps times less exactly, by size and content. */
async function isSame(file: FileRecord, path: string, found: Stats): Promise<boolean> {
  if (!found.isFile() || found.size !== file.size) return false;
  if (Math.round(found.mtimeMs) === file.modifiedAt) return true;
  return (await checksumOf(path)) === file.checksum;
}
