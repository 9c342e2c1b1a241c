import { constants } from "node:fs";
import { type FileHandle, open, stat, unlink } from "node:fs/promises";
import { LostBytes } from "../../domain/faults/fault.ts";
import { fsyncDurations } from "../../domain/process-figures.ts";
import type { Growth } from "../growing-blob.ts";
import type { Checkpoint } from "../port.ts";
import type { BlockFolders } from "./block-folders.ts";
import { isCommittedMode } from "./committed-mode.ts";
import { errorCode } from "./disk-fault.ts";
import { createEarlySyncs } from "./early-syncs.ts";
import { writeAll } from "./write-all.ts";

const BEGIN = constants.O_CREAT | constants.O_WRONLY;

/**
 * Opens the file of a growing blob and cuts it back to `offset`. The bytes after the last checkpoint
 * cannot be used, even if they are there: after a power cut they may be zeros.
 */
export async function openGrowingFile(input: {
  root: string;
  path: string;
  block: number;
  offset: number;
  folders: BlockFolders;
}): Promise<Growth> {
  const { root, path, block, offset, folders } = input;
  const flags = offset === 0 ? BEGIN : constants.O_WRONLY;
  const file = await folders.enter(block, () =>
    open(path, flags, 0o600).catch(async (error: unknown) => {
      if (offset === 0 || errorCode(error) !== "ENOENT") throw error;
      // If the root is absent too, its volume is not mounted: the bytes are not lost.
      await stat(root);
      throw lostBytes(path, offset, error);
    }),
  );
  try {
    await cutBack(file, path, offset);
  } catch (error) {
    await file.close().catch(() => {});
    folders.leave(block);
    throw error;
  }
  return createGrowth(file, input);
}

async function cutBack(file: FileHandle, path: string, offset: number): Promise<void> {
  const found = await file.stat();
  if (!found.isFile()) throw new Error(`${path} is not a file.`);
  if (isCommittedMode(found)) throw new Error(`${path} belongs to a file and no longer grows.`);
  if (found.size < offset) {
    throw lostBytes(path, offset, new Error(`It has ${found.size} bytes.`));
  }
  if (found.size > offset) await file.truncate(offset);
}

const lostBytes = (path: string, offset: number, cause: unknown): LostBytes =>
  new LostBytes(
    "Bytes of this upload were lost on the disk. Upload the file again.",
    new Error(`${path} should have ${offset} bytes.`, { cause }),
  );

function createGrowth(
  file: FileHandle,
  input: { path: string; block: number; offset: number; folders: BlockFolders },
): Growth {
  const { path, block, offset, folders } = input;
  const earlySyncs = createEarlySyncs(file, offset);
  let position = offset;
  let synced = offset;
  // The first checkpoint made the folder's entry durable.
  let isEntryDurable = offset > 0;

  async function syncEntry(): Promise<void> {
    if (isEntryDurable) return;
    await folders.sync(block);
    isEntryDurable = true;
  }

  async function syncUpTo(stored: number): Promise<Checkpoint> {
    if (stored > synced) {
      await all([earlySyncs.finish(), fsyncDurations.measure(() => file.datasync()), syncEntry()]);
      synced = stored;
    }
    return { stored, growth: null, rest: 0 };
  }

  return {
    start: offset,

    async write(chunk) {
      await writeAll(file, chunk, position);
      position += chunk.byteLength;
      await earlySyncs.onWritten(position);
    },

    checkpoint: async () => ({ done: syncUpTo(position) }),

    readRest: async () => {},

    async seal() {
      if (position > synced || !isEntryDurable) {
        await all([earlySyncs.finish(), fsyncDurations.measure(() => file.sync()), syncEntry()]);
        synced = position;
      }
    },

    stop() {},

    async release() {
      await earlySyncs.finish().catch(() => {});
      folders.leave(block);
      await file.close();
    },

    async remove() {
      const isRemoved = await unlink(path).then(
        () => true,
        (error: unknown) => errorCode(error) === "ENOENT",
      );
      await folders.removeIfEmpty(block);
      return isRemoved;
    },
  };
}

/** Waits for all, also after a failure: the file is not closed while one of them still uses it. */
async function all(syncs: readonly Promise<void>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(syncs)) {
    if (outcome.status === "rejected") throw outcome.reason;
  }
}
