import type { FileHandle } from "node:fs/promises";
import { mkdir, open, rename, rm, stat, unlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { BlobCopies, BlobWriter } from "../port.ts";
import { diskFault, errorCode } from "./disk-fault.ts";
import { blobPath, blockPath } from "./disk-paths.ts";
import { syncFolder } from "./sync-folder.ts";

/** Where copies lie until they are whole: no block has such a name. */
const UNFINISHED = "unfinished";
/** As in `disk-writer.ts`: no fsync of a large file should take long. */
const SYNC_EVERY = 64 * 1024 * 1024;

/**
 * Copies as files below `folder`, laid out as `createDiskBlobs` does, so that one can be opened as
 * the other. Each is written elsewhere, synced and moved into its place.
 */
export async function createDiskCopies(folder: string): Promise<BlobCopies> {
  const root = resolve(folder);
  const unfinished = join(root, UNFINISHED);
  await mkdir(unfinished, { recursive: true, mode: 0o700 });

  async function moveIn(draft: string, path: string): Promise<void> {
    try {
      await rename(draft, path);
    } catch (error) {
      if (errorCode(error) !== "ENOENT") throw error;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await rename(draft, path);
    }
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
        return createCopyWriter(file, draft, () => moveIn(draft, blobPath(root, id)));
      } catch (error) {
        throw diskFault(error);
      }
    },

    async settle(block) {
      await syncFolder(blockPath(root, block)).catch(unlessAbsent);
    },

    async close() {
      await rm(unfinished, { recursive: true, force: true });
      await syncFolder(root);
      await syncFolder(dirname(root));
    },
  };
}

/** For one caller that does one thing after the other. */
function createCopyWriter(file: FileHandle, draft: string, place: () => Promise<void>): BlobWriter {
  let position = 0;
  let synced = 0;
  let isOpen = true;

  async function close(): Promise<void> {
    if (!isOpen) return;
    isOpen = false;
    await file.close();
  }

  return {
    async write(chunk) {
      try {
        for (let done = 0; done < chunk.byteLength; ) {
          const left = chunk.byteLength - done;
          const { bytesWritten } = await file.write(chunk, done, left, position);
          if (bytesWritten === 0) throw new Error("The disk took none of the bytes.");
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
    async seal() {
      try {
        await file.sync();
        await close();
        await place();
      } catch (error) {
        throw diskFault(error);
      }
    },
    async discard() {
      await close().catch(() => {});
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
