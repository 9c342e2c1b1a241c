import type { FileHandle } from "node:fs/promises";
import { mkdir, open, rename, rm, stat, unlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fsyncFolder } from "../../fs/fsync.ts";
import type { BlobCopies, BlobWriter } from "../port.ts";
import { COMMITTED_MODE } from "./committed-mode.ts";
import { diskFault, errorCode, unlessAbsent } from "./disk-fault.ts";
import { blobPath, blockPath } from "./disk-paths.ts";

/** The folder of unfinished copies. No block has this name. */
const UNFINISHED = "unfinished";
/** Syncs after this many bytes, which keeps each fsync of a large file short. */
const SYNC_EVERY = 64 * 1024 * 1024;

/** A batch of copies is published at this count or size. */
const MAX_SEALED = 256;
const MAX_BYTES = 64 * 1024 * 1024;

/** A complete copy, still open and not published. */
interface Sealed {
  readonly file: FileHandle;
  readonly tempPath: string;
  readonly path: string;
}

/**
 * Stores copies as files below `folder`, in the layout of `createDiskBlobs`. Each is written to a
 * temporary path, synced and renamed. `syncVolume` may flush many files at once before each is synced.
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
  let publishing: Promise<void> = Promise.resolve();

  async function publishAll(copies: readonly Sealed[]): Promise<void> {
    try {
      if (copies.length > 1) await syncVolume(unfinished);
      // A copy has a record: see `markCommitted`.
      for (const { file } of copies) await file.chmod(COMMITTED_MODE).catch(() => {});
      await Promise.all(copies.map(({ file }) => file.sync()));
    } finally {
      await Promise.all(copies.map(({ file }) => file.close()));
    }
    for (const { tempPath, path } of copies) await moveIntoPlace(tempPath, path);
  }

  /** One batch at a time. After a failed fsync no further copy is published. */
  function place(): Promise<void> {
    const copies = sealed;
    sealed = [];
    bytes = 0;
    publishing = publishing.then(() => publishAll(copies));
    // This caller and all later ones receive the failure.
    publishing.catch(() => {});
    return publishing.catch((error: unknown) => {
      throw diskFault(error);
    });
  }

  return {
    async has(id, size) {
      const found = await stat(blobPath(root, id)).catch(unlessAbsent);
      return found?.isFile() === true && found.size === size;
    },

    async create(id) {
      const tempPath = join(unfinished, String(id));
      try {
        const file = await open(tempPath, "w", 0o600);
        return createCopyWriter(file, tempPath, async (size) => {
          sealed.push({ file, tempPath, path: blobPath(root, id) });
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

async function moveIntoPlace(tempPath: string, path: string): Promise<void> {
  try {
    await rename(tempPath, path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rename(tempPath, path);
  }
}

/** The caller makes one call at a time. `discard` must not be called after `seal`. */
function createCopyWriter(
  file: FileHandle,
  tempPath: string,
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
      return unlink(tempPath).then(
        () => true,
        (error) => errorCode(error) === "ENOENT",
      );
    },
  };
}
