import { mkdir, rmdir } from "node:fs/promises";
import { fsyncDurations } from "../../domain/process-figures.ts";
import { fsyncFolder } from "../../fs/fsync.ts";
import { errorCode, isOutOfDescriptors } from "./disk-fault.ts";
import { blockPath } from "./disk-paths.ts";
import { createSharedRun } from "./shared-run.ts";

/** The folders of the blobs, one per block, with their writers counted. */
export interface BlockFolders {
  /**
   * Runs `create`, which creates a file in the block's folder. Creates the folder if it is absent,
   * however often another process removes it in between.
   */
  enter<T>(block: number, create: () => Promise<T>): Promise<T>;
  /** Call once for each `enter`, when its file is complete or removed. */
  leave(block: number): void;
  /** Makes the folder and its current entries durable. */
  sync(block: number): Promise<void>;
  /**
   * Makes earlier removals from the folder durable. Removes the folder itself, durably too, if it is
   * empty and has no writers.
   */
  flush(block: number): Promise<void>;
  /**
   * Removes the folder if it is empty and has no writers. Until the next `flush`, a power cut may
   * bring it back with its former entries. Never throws.
   */
  removeIfEmpty(block: number): Promise<void>;
}

interface BlockFolder {
  readonly path: string;
  readonly sync: () => Promise<void>;
  /** Calls of `enter` without `leave`. */
  writers: number;
  /** The fsync of the root that makes this folder's own entry durable. */
  rootSync: Promise<void> | undefined;
}

/** A process fills one or two blocks at a time. An evicted entry costs one more fsync. */
const MAX_CACHED = 64;
const MAX_ATTEMPTS = 1000;

export function createBlockFolders(root: string): BlockFolders {
  const syncRoot = createSharedRun(() => fsyncDurations.measure(() => fsyncFolder(root)));
  const cache = new Map<number, BlockFolder>();

  function folderOf(block: number): BlockFolder {
    return cache.get(block) ?? addFolder(block);
  }

  function addFolder(block: number): BlockFolder {
    if (cache.size >= MAX_CACHED) {
      for (const [other, { writers }] of cache) if (writers === 0) cache.delete(other);
    }
    const path = blockPath(root, block);
    const folder = {
      path,
      sync: createSharedRun(() => fsyncDurations.measure(() => fsyncFolder(path))),
      writers: 0,
      rootSync: undefined,
    };
    cache.set(block, folder);
    return folder;
  }

  async function makeFolder(folder: BlockFolder): Promise<void> {
    try {
      await mkdir(folder.path, { mode: 0o700 });
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
    folder.rootSync = undefined;
  }

  async function removeIfEmpty(block: number): Promise<void> {
    if ((cache.get(block)?.writers ?? 0) > 0) return;
    // Fails if the folder is absent or not empty, which is fine.
    await rmdir(blockPath(root, block)).catch(() => {});
  }

  return {
    async enter(block, create) {
      const folder = folderOf(block);
      folder.writers++;
      try {
        for (let attempt = 1; ; attempt++) {
          try {
            return await create();
          } catch (error) {
            if (errorCode(error) !== "ENOENT" || attempt === MAX_ATTEMPTS) throw error;
          }
          await makeFolder(folder);
        }
      } catch (error) {
        folder.writers--;
        throw error;
      }
    },

    leave(block) {
      folderOf(block).writers--;
    },

    async sync(block) {
      const folder = folderOf(block);
      folder.rootSync ??= syncRoot();
      try {
        await Promise.all([folder.sync(), folder.rootSync]);
      } catch (error) {
        // Without a free descriptor nothing was synced, so a retry is safe. A failed fsync is never
        // retried.
        if (isOutOfDescriptors(error)) folder.rootSync = undefined;
        throw error;
      }
    },

    async flush(block) {
      await removeIfEmpty(block);
      try {
        await folderOf(block).sync();
      } catch (error) {
        if (errorCode(error) !== "ENOENT") throw error;
        // The folder is gone: its own entry must not come back.
        await syncRoot();
      }
    },

    removeIfEmpty,
  };
}
