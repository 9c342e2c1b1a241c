import type { FileHandle } from "node:fs/promises";
import { mkdir, open, rename, rm, stat, unlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fsyncFolder } from "../../fs/fsync-folder.ts";
import type { BlobCopies, BlobWriter } from "../port.ts";
import { diskFault, errorCode } from "./disk-fault.ts";
import { blobPath, blockPath } from "./disk-paths.ts";

/** Folder of the copies that are not complete yet. No block has this name. */
const UNFINISHED = "unfinished";
/** As in `disk-writer.ts`: no fsync of a large file takes long. */
const SYNC_EVERY = 64 * 1024 * 1024;

/** A batch of copies is moved into place at this count or size. */
const MAX_SEALED = 256;
const MAX_BYTES = 64 * 1024 * 1024;

/** A complete copy, still open and not in its place. */
interface Sealed {
  readonly file: FileHandle;
  readonly draft: string;
  readonly path: string;
}

/**
 * Copies as files below `folder`, in the layout of `createDiskBlobs`. Each is written to another
 * path, synced and renamed. `syncVolume` may flush many files at once before each is synced.
 */
export async function createDiskCopies(
  folder: string,
  syncVolume: (path: string) => Promise<void>,
): Promise<BlobCopies> {
  const root = resolve(folder);
  const unfinished = join(root, UNFINISHED);
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  let sealed: Sealed[] = [];
  let bytes = 0;
  let placing: Promise<void> = Promise.resolve();

  async function placeAll(copies: readonly Sealed[]): Promise<void> {
    try {
      if (copies.length > 1) await syncVolume(unfinished);
      await Promise.all(copies.map(({ file }) => file.sync()));
    } finally {
      await Promise.all(copies.map(({ file }) => file.close()));
    }
    for (const { draft, path } of copies) await moveIn(draft, path);
  }

  /** One batch after the other. After a failed fsync no further copy gets into its place. */
  function place(): Promise<void> {
    const copies = sealed;
    sealed = [];
    bytes = 0;
    placing = placing.then(() => placeAll(copies));
    // This caller and all later ones get the failure.
    placing.catch(() => {});
    return placing.catch((error: unknown) => {
      throw diskFault(error);
    });
  }

  return {
    async has(id, size) {
      const found = await stat(blobPath(root, id)).catch(unlessAbsent);
      return found?.isFile() === true && found.size === size;
    },

    async create(id) {
      const draft = join(unfinished, String(id));
      try {
        const file = await open(draft, "w", 0o600);
        return createCopyWriter(file, draft, async (size) => {
          sealed.push({ file, draft, path: blobPath(root, id) });
          bytes += size;
          if (sealed.length >= MAX_SEALED || bytes >= MAX_BYTES) await place();
        });
      } catch (error) {
        throw diskFault(error);
      }
    },

    place,

    async flushBlock(block) {
      await fsyncFolder(blockPath(root, block)).catch(unlessAbsent);
    },

    async close() {
      await place();
      await rm(unfinished, { recursive: true, force: true });
      await fsyncFolder(root);
      await fsyncFolder(dirname(root));
    },
  };
}

async function moveIn(draft: string, path: string): Promise<void> {
  try {
    await rename(draft, path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rename(draft, path);
  }
}

/** The caller makes one call at a time. `discard` must not be called after `seal`. */
function createCopyWriter(
  file: FileHandle,
  draft: string,
  seal: (size: number) => Promise<void>,
): BlobWriter {
  let position = 0;
  let synced = 0;

  return {
    async write(chunk) {
      try {
        for (let done = 0; done < chunk.byteLength; ) {
          const left = chunk.byteLength - done;
          const { bytesWritten } = await file.write(chunk, done, left, position);
          if (bytesWritten === 0) throw new Error("The disk accepted no bytes.");
          done += bytesWritten;
          position += bytesWritten;
        }
        if (position - synced >= SYNC_EVERY) {
          await file.datasync();
          synced = position;
        }
      } catch (error) {
        throw diskFault(error);
      }
    },
    seal: () => seal(position),
    async discard() {
      await file.close().catch(() => {});
      return unlink(draft).then(
        () => true,
        (error) => errorCode(error) === "ENOENT",
      );
    },
  };
}

/** For what may be absent: undefined when it is. */
function unlessAbsent(error: unknown): undefined {
  const code = errorCode(error);
  if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
}
