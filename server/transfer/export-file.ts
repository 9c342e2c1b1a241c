import type { Stats } from "node:fs";
import { type FileHandle, lstat, mkdir, open, rename, rm, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { BlobInspection } from "../blobs/port.ts";
import type { FileRecord, Sha256 } from "../domain/records.ts";
import { createContentHash } from "../files/upload/content-hash.ts";
import { checkBytes } from "./check-bytes.ts";
import { checksumOf } from "./read-file-at.ts";
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

export interface FileWriterDeps {
  /** From `openUnfinished`. */
  readonly unfinished: string;
  readonly blobs: BlobInspection;
  /** May flush many files at once before each is synced. */
  readonly syncVolume: (path: string) => Promise<void>;
  /** Whether to compute the SHA-256 of each file that is written, and compare it with its record. */
  readonly digests: boolean;
  /** Called when a complete file is in its place (null), or cannot be moved there. */
  readonly onPlaced: (placed: PlacedFile, problem: string | null) => Promise<void> | void;
}

export interface PlacedFile {
  readonly file: FileRecord;
  readonly path: string;
  /** null: neither known nor computed. */
  readonly sha256: Sha256 | null;
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

type Draft = Omit<Written, "sha256">;

/** A complete file, still open and not in its place. */
interface Written extends PlacedFile {
  readonly handle: FileHandle;
  readonly draft: string;
}

/** A batch of files is moved into place at this count or size. */
const MAX_WRITTEN = 256;
const MAX_BYTES = 64 * 1024 * 1024;

/** Writes each file to `unfinished`, checks and syncs it, and then moves it into its place. */
export function createFileWriter(deps: FileWriterDeps): FileWriter {
  const { unfinished, blobs, syncVolume, digests, onPlaced } = deps;
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
    for (const placed of files) await onPlaced(placed, await moveIntoPlace(placed));
  }

  /** null: it is there; otherwise the problem. */
  async function moveIntoPlace({ draft, path }: Written): Promise<string | null> {
    try {
      // Checked again: on a case-insensitive disk another file of this batch may be in the place,
      // and a rename would replace it.
      if ((await lstat(path).catch(ignoreAbsent)) !== undefined) return PATH_TAKEN;
      await rename(draft, path);
      return null;
    } catch (error) {
      // Some file systems do not allow every name.
      return messageOf(error);
    }
  }

  /** The digest of a complete file (see `PlacedFile`); otherwise the problem. */
  async function write(to: Draft, onBytes: OnBytes): Promise<Pick<PlacedFile, "sha256"> | string> {
    const hash = digests ? createContentHash() : undefined;
    let position = 0;
    const problem = await checkBytes(blobs, to.file, async (chunk) => {
      for (let done = 0; done < chunk.byteLength; ) {
        const left = chunk.byteLength - done;
        const { bytesWritten } = await to.handle.write(chunk, done, left, position);
        if (bytesWritten === 0) throw new Error("The disk accepted no bytes.");
        done += bytesWritten;
        position += bytesWritten;
      }
      hash?.update(chunk);
      onBytes(chunk.byteLength);
    });
    if (problem !== null) return problem;
    const stored = to.file.sha256;
    const sha256 = hash?.end().sha256 ?? stored;
    if (stored !== null && sha256 !== stored) return "its bytes have changed";
    const modified = to.file.modifiedAt / 1000;
    await to.handle.utimes(modified, modified);
    return { sha256 };
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
    let result: Awaited<ReturnType<typeof write>> = "it was not finished";
    try {
      result = await write(to, onBytes);
    } finally {
      if (typeof result === "string") {
        await to.handle.close();
        await unlink(draft).catch(ignoreAbsent);
      }
    }
    if (typeof result === "string") return result;
    written.push({ ...to, ...result });
    return null;
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
