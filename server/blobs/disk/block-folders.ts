import { mkdir, rmdir } from "node:fs/promises";
import { fsyncFolder } from "../../fs/fsync-folder.ts";
import { errorCode, isShortage } from "./disk-fault.ts";
import { blockPath } from "./disk-paths.ts";
import { createSharedRun } from "./shared-run.ts";

/** The folders that blobs lie in, one for each block. */
export interface BlockFolders {
  /**
   * Runs `make`, which creates a file in the block's folder, and makes the folder when it is not
   * there, however often another process removes it in between.
   */
  enter<T>(block: number, make: () => Promise<T>): Promise<T>;
  /** Ends what `enter` began: nobody writes on this account any more. */
  leave(block: number): void;
  /** Resolves when whatever was in the folder at the call, and the folder, survive a power cut. */
  secure(block: number): Promise<void>;
  /**
   * Resolves when whatever was removed from the folder before the call stays removed. Removes the
   * folder itself, for good as well, when it is empty and nobody writes into it.
   */
  settle(block: number): Promise<void>;
  /**
   * Removes the folder when it is empty and nobody writes into it. Until the next `settle` it may
   * come back after a power cut, with all that was in it. Never throws.
   */
  tidy(block: number): Promise<void>;
}

interface BlockFolder {
  readonly path: string;
  readonly sync: () => Promise<void>;
  /** How many have entered and not left. */
  writers: number;
  /** The fsync of the root that put this folder's own entry on disk, once somebody needed it. */
  rooted: Promise<void> | undefined;
}

/** A process fills one or two blocks at a time. What is dropped costs one more fsync, no more. */
const REMEMBERED = 64;
const MOST_ATTEMPTS = 1000;

export function createBlockFolders(root: string): BlockFolders {
  const syncRoot = createSharedRun(() => fsyncFolder(root));
  const known = new Map<number, BlockFolder>();

  function folderOf(block: number): BlockFolder {
    return known.get(block) ?? remember(block);
  }

  function remember(block: number): BlockFolder {
    if (known.size >= REMEMBERED) {
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
    // Not empty, or gone: both are fine, and so is a folder that stays.
    await rmdir(blockPath(root, block)).catch(() => {});
  }

  return {
    async enter(block, make) {
      const folder = folderOf(block);
      folder.writers++;
      try {
        for (let attempt = 1; ; attempt++) {
          try {
            return await make();
          } catch (error) {
            if (errorCode(error) !== "ENOENT" || attempt === MOST_ATTEMPTS) throw error;
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

    async secure(block) {
      const folder = folderOf(block);
      folder.rooted ??= syncRoot();
      try {
        await Promise.all([folder.sync(), folder.rooted]);
      } catch (error) {
        // Out of descriptors, nothing was synced yet, and another try may be. An fsync that failed
        // is never tried again.
        if (isShortage(error)) folder.rooted = undefined;
        throw error;
      }
    },

    async settle(block) {
      await tidy(block);
      try {
        await folderOf(block).sync();
      } catch (error) {
        if (errorCode(error) !== "ENOENT") throw error;
        // The folder's own entry is what must not come back then.
        await syncRoot();
      }
    },

    tidy,
  };
}
