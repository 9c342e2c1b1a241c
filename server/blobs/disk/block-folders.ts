import { mkdir, rmdir } from "node:fs/promises";
import { fsyncFolder } from "../../fs/fsync-folder.ts";
import { errorCode, isShortage } from "./disk-fault.ts";
import { blockPath } from "./disk-paths.ts";
import { createSharedRun } from "./shared-run.ts";

/** The folders of the blobs, one for each block. */
export interface BlockFolders {
  /**
   * Runs `create`, which creates a file in the block's folder. Creates the folder if it is absent,
   * however often another process removes it in between.
   */
  enter<T>(block: number, create: () => Promise<T>): Promise<T>;
  /** Ends what `enter` began. */
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
  tidy(block: number): Promise<void>;
}

interface BlockFolder {
  readonly path: string;
  readonly sync: () => Promise<void>;
  /** How many have entered and not yet left. */
  writers: number;
  /** The fsync of the root that made this folder's own entry durable. */
  rooted: Promise<void> | undefined;
}

/** A process fills one or two blocks at a time. A dropped entry costs one more fsync. */
const MAX_KNOWN = 64;
const MAX_ATTEMPTS = 1000;

export function createBlockFolders(root: string): BlockFolders {
  const syncRoot = createSharedRun(() => fsyncFolder(root));
  const known = new Map<number, BlockFolder>();

  function folderOf(block: number): BlockFolder {
    return known.get(block) ?? addFolder(block);
  }

  function addFolder(block: number): BlockFolder {
    if (known.size >= MAX_KNOWN) {
      for (const [other, { writers }] of known) if (writers === 0) known.delete(other);
    }
    const path = blockPath(root, block);
    const folder = {
      path,
      sync: createSharedRun(() => fsyncFolder(path)),
      writers: 0,
      rooted: undefined,
    };
    known.set(block, folder);
    return folder;
  }

  async function makeFolder(folder: BlockFolder): Promise<void> {
    try {
      await mkdir(folder.path, { mode: 0o700 });
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
    folder.rooted = undefined;
  }

  async function tidy(block: number): Promise<void> {
    if ((known.get(block)?.writers ?? 0) > 0) return;
    // It may be absent or not empty, and it may stay.
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
      folder.rooted ??= syncRoot();
      try {
        await Promise.all([folder.sync(), folder.rooted]);
      } catch (error) {
        // Without descriptors nothing was synced, so another attempt is safe. A failed fsync is never
        // repeated.
        if (isShortage(error)) folder.rooted = undefined;
        throw error;
      }
    },

    async flush(block) {
      await tidy(block);
      try {
        await folderOf(block).sync();
      } catch (error) {
        if (errorCode(error) !== "ENOENT") throw error;
        // The folder is gone: its own entry must not come back.
        await syncRoot();
      }
    },

    tidy,
  };
}
