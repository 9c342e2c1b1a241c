import { constants, type Stats, statSync } from "node:fs";
import { mkdir, open, opendir, readdir, statfs, unlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fsyncFolder } from "../../fs/fsync-folder.ts";
import { blockOf } from "../../rules/blob-id.ts";
import { forEachConcurrently } from "../../rules/for-each-concurrently.ts";
import type { BlobId } from "../../rules/records.ts";
import type { BlobInspection, Blobs } from "../port.ts";
import { MAX_SMALL_BYTES } from "../small-blob-cache.ts";
import { createBlockFolders } from "./block-folders.ts";
import { diskFault, unlessAbsent } from "./disk-fault.ts";
import { createDiskInspection } from "./disk-inspection.ts";
import { blobNamed, blobPath, blockNamed, blockPath } from "./disk-paths.ts";
import { createDiskWriter } from "./disk-writer.ts";
import { readPiece, readWhole } from "./read-piece.ts";

const NEW_FILE = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY;
/** Enough to keep the disk busy without taking every thread from those who serve. */
const REMOVAL_CONCURRENCY = 8;

/**
 * Blobs as files below `folder`, which is made when it is not there and belongs to this store
 * alone. Writing, syncing, removing and listing are left to the runtime's threads, so a slow disk
 * does not hold up the process.
 *
 * `read` looks once and hands over a path, which the runtime opens later. When the blob is removed
 * in that moment, the runtime fails with ENOENT: whoever sends the body must take that for absence,
 * just like undefined. Once open, a body comes whole even if the blob is removed meanwhile.
 *
 * The bytes of small blobs are handed over themselves.
 *
 * What is set aside lies in the folder `quarantine` beside it, and may be removed by hand.
 */
export async function createDiskBlobs(folder: string): Promise<Blobs & BlobInspection> {
  const root = resolve(folder);
  await makeRoot(root);
  const folders = createBlockFolders(root);

  async function removeFrom(block: number, ids: readonly BlobId[]): Promise<void> {
    for (const id of ids) await unlink(blobPath(root, id)).catch(unlessAbsent);
    await folders.settle(block);
  }

  return {
    ...createDiskInspection(root, join(dirname(root), "quarantine")),

    async create(id) {
      const block = blockOf(id);
      const path = blobPath(root, id);
      try {
        const file = await folders.enter(block, () => open(path, NEW_FILE, 0o600));
        return createDiskWriter({ file, path, block, folders });
      } catch (error) {
        throw diskFault(error);
      }
    },

    read(id, size, slice) {
      const path = blobPath(root, id);
      if (size <= MAX_SMALL_BYTES && slice === undefined) return readWhole(path, size);
      if (slice !== undefined && slice.end - slice.start <= MAX_SMALL_BYTES) {
        return readPiece(path, size, slice);
      }
      const found = look(path);
      if (found === undefined || !found.isFile() || found.size !== size) return undefined;
      const file = Bun.file(path);
      return slice === undefined ? file : file.slice(slice.start, slice.end);
    },

    async remove(ids) {
      try {
        await forEachConcurrently(
          Map.groupBy(ids, blockOf),
          REMOVAL_CONCURRENCY,
          ([block, blobs]) => removeFrom(block, blobs),
        );
      } catch (error) {
        throw diskFault(error);
      }
    },

    settleBlock: (block) => folders.settle(block),

    async listBlock(block) {
      const names = (await readdir(blockPath(root, block)).catch(unlessAbsent)) ?? [];
      return names.map((name) => blobNamed(block, name)).filter((id) => id !== undefined);
    },

    async *listBlocks() {
      for await (const entry of await opendir(root)) {
        const block = blockNamed(entry.name);
        if (block !== undefined) yield block;
      }
    },

    async freeSpace() {
      const { bavail, bsize } = await statfs(root);
      return bavail * bsize;
    },

    async reach() {
      await statfs(root);
    },
  };
}

/** Makes the root and every folder on the way to it, such that they survive a power cut. */
async function makeRoot(root: string): Promise<void> {
  const first = await mkdir(root, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let path = root; path.length >= first.length; path = dirname(path)) {
    await fsyncFolder(dirname(path));
  }
}

/**
 * On the serving thread, on purpose: the runtime opens a body's file there as well, right after
 * this, and the threads may all be waiting for an fsync.
 */
function look(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    return unlessAbsent(error);
  }
}
