import type { Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { lstat, mkdir, open, rename, rm, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { BlobInspection } from "../blobs/port.ts";
import type { FileRecord } from "../rules/records.ts";
import { checkBytes } from "./check-bytes.ts";
import { checksumOf } from "./checksum-of.ts";
import { ignoreAbsent, isFull, messageOf } from "./system-error.ts";

/**
 * The folder for files that are not complete yet. Its name ends with U+2126 OHM SIGN, which is not NFC,
 * so no exported file or folder can have this name.
 */
export const UNFINISHED = ".holdall-unfinished-\u2126";

export interface FileWriter {
  /** Writes a file to the path, unless it exists there. `onBytes` reports progress. */
  put(file: FileRecord, path: string, onBytes: (bytes: number) => void): Promise<Outcome>;
  /** Resolves when every complete file is in its place and synced. */
  place(): Promise<void>;
  /** Removes the unfinished files. */
  close(): Promise<void>;
}

export interface FileWriterParts {
  /** From `openUnfinished`. */
  readonly unfinished: string;
  readonly blobs: BlobInspection;
  /** May flush many files at once before each is synced. */
  readonly syncVolume: (path: string) => Promise<void>;
  /** Called when a complete file is in its place (null), or cannot be moved there. */
  readonly onPlaced: (file: FileRecord, problem: string | null) => void;
}

/** "complete": `onPlaced` is called for it, by `place` at the latest. */
export type Outcome = "complete" | "exists" | { readonly problem: string };

/** Creates the folder for unfinished files. Removes what an earlier attempt left there. */
export async function openUnfinished(root: string): Promise<string> {
  const path = join(root, UNFINISHED);
  // Removes a link in its place without following it.
  await rm(path, { recursive: true, force: true });
  await mkdir(path, { mode: 0o700 });
  return path;
}

const PATH_TAKEN = "something else already exists at this path and was not changed";

/** A complete file, still open and not in its place. */
interface Written {
  readonly file: FileRecord;
  readonly handle: FileHandle;
  readonly draft: string;
  readonly path: string;
}

/** A batch of files is moved into place at this count or size. */
const MAX_WRITTEN = 256;
const MAX_BYTES = 64 * 1024 * 1024;

/** Writes each file to `unfinished`, checks and syncs it, and then moves it into its place. */
export function createFileWriter(parts: FileWriterParts): FileWriter {
  const { unfinished, blobs, syncVolume, onPlaced } = parts;
  let next = 0;
  let written: Written[] = [];
  let bytes = 0;
  let placing: Promise<void> = Promise.resolve();

  /** One batch after the other. A failed fsync ends the export. */
  function place(): Promise<void> {
    const files = written;
    written = [];
    bytes = 0;
    placing = placing.then(() => placeAll(files));
    placing.catch(() => {});
    return placing;
  }

  async function placeAll(files: readonly Written[]): Promise<void> {
    try {
      if (files.length > 1) await syncVolume(unfinished);
      await Promise.all(files.map(({ handle }) => handle.sync()));
    } finally {
      await Promise.all(files.map(({ handle }) => handle.close()));
    }
    for (const { file, draft, path } of files) {
      try {
        // Checked again: on a case-insensitive disk another file of this batch may be in the place,
        // and a rename would replace it.
        const isTaken = (await lstat(path).catch(ignoreAbsent)) !== undefined;
        if (!isTaken) await rename(draft, path);
        onPlaced(file, isTaken ? PATH_TAKEN : null);
      } catch (error) {
        // Some file systems do not allow every name.
        onPlaced(file, messageOf(error));
      }
    }
  }

  /** null: the file is complete; otherwise the problem. */
  async function write(to: Written, onBytes: OnBytes): Promise<string | null> {
    let position = 0;
    const problem = await checkBytes(blobs, to.file, async (chunk) => {
      for (let done = 0; done < chunk.byteLength; ) {
        const left = chunk.byteLength - done;
        const { bytesWritten } = await to.handle.write(chunk, done, left, position);
        if (bytesWritten === 0) throw new Error("The disk accepted no bytes.");
        done += bytesWritten;
        position += bytesWritten;
      }
      onBytes(chunk.byteLength);
    });
    const modified = to.file.modifiedAt / 1000;
    if (problem === null) await to.handle.utimes(modified, modified);
    return problem;
  }

  async function writeDraft(
    file: FileRecord,
    path: string,
    onBytes: OnBytes,
  ): Promise<string | null> {
    next += 1;
    // Unique, as another process may export into the same folder.
    const draft = join(unfinished, `${process.pid}-${next}`);
    const to = { file, handle: await open(draft, "wx"), draft, path };
    let problem: string | null = "it was not finished";
    try {
      problem = await write(to, onBytes);
    } finally {
      if (problem !== null) {
        await to.handle.close();
        await unlink(draft).catch(ignoreAbsent);
      }
    }
    if (problem === null) written.push(to);
    return problem;
  }

  return {
    async put(file, path, onBytes) {
      try {
        const found = await lstat(path).catch(ignoreAbsent);
        if (found !== undefined) {
          if (!(await isSame(file, path, found))) {
            return { problem: PATH_TAKEN };
          }
          onBytes(file.size);
          return "exists";
        }
        const problem = await writeDraft(file, path, onBytes);
        if (problem !== null) return { problem };
      } catch (error) {
        if (isFull(error)) throw error;
        return { problem: messageOf(error) };
      }
      bytes += file.size;
      if (written.length >= MAX_WRITTEN || bytes >= MAX_BYTES) await place();
      return "complete";
    },
    place,
    close: () => rm(unfinished, { recursive: true, force: true }),
  };
}

type OnBytes = (bytes: number) => void;

/** By size and time, or by size and content where the file system rounds times. */
async function isSame(file: FileRecord, path: string, found: Stats): Promise<boolean> {
  if (!found.isFile() || found.size !== file.size) return false;
  if (Math.round(found.mtimeMs) === file.modifiedAt) return true;
  return (await checksumOf(path)) === file.checksum;
}
