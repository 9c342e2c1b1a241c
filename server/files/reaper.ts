import type { Blobs } from "../blobs/port.ts";
import type { BlobLedger } from "../catalog/port.ts";
import type { BlobId } from "../rules/records.ts";

/**
 * Removes the content of deleted folders and the condemned blobs of deleted files. During a backup hold
 * the blobs stay, and the first sweep after the hold removes them.
 */
export interface Reaper {
  /** Resolves when these condemned blobs are removed, or left for a later sweep. */
  remove(ids: readonly BlobId[]): Promise<void>;
  /**
   * Empties the folders that were deleted before the call and removes the blobs that were condemned by
   * then, unless there is a backup hold. Works in batches, so that other work runs in between. Never
   * throws.
   */
  drain(): Promise<void>;
  /** Ends `drain` after the current batch; the next start continues it. */
  close(): Promise<void>;
}

/** A batch blocks the catalog for about 20 ms. */
const BATCH = 500;
/** With more failed removals than this, the store is broken: left for the next sweep. */
const MAX_STUCK = 5000;

export interface ReaperParts {
  readonly ledger: BlobLedger;
  readonly blobs: Blobs;
  readonly onError: (message: string, cause: unknown) => void;
}

export function createReaper({ ledger, blobs, onError }: ReaperParts): Reaper {
  let draining: Promise<void> | undefined;
  let wanted = false;
  let closed = false;

  const failed = (cause: unknown): void =>
    onError("Bytes of deleted files were not removed; this is tried again", cause);

  async function removeAll(): Promise<void> {
    const stuck = new Set<BlobId>();
    let emptying = true;
    while (stuck.size < MAX_STUCK && !closed) {
      emptying &&= await ledger.emptyRemovedFolders(BATCH);
      const oldest = await ledger.condemnedBlobs(BATCH + stuck.size);
      const ids = oldest.filter((id) => !stuck.has(id));
      if (ids.length === 0 || (await ledger.hasBackupHold())) {
        if (emptying) continue;
        return;
      }
      const gone = await removeEach(ids);
      await ledger.forgetCondemnedBlobs(gone);
      const done = new Set(gone);
      for (const id of ids) if (!done.has(id)) stuck.add(id);
    }
  }

  /** A call during a round may mean blobs that the round has not seen, so another round follows. */
  async function drain(): Promise<void> {
    while (wanted && !closed) {
      wanted = false;
      await removeAll().catch(failed);
    }
    draining = undefined;
  }

  /** Removes all together, or one by one if that fails, so that one failure does not keep the others. */
  async function removeEach(ids: readonly BlobId[]): Promise<readonly BlobId[]> {
    try {
      await blobs.remove(ids);
      return ids;
    } catch (cause) {
      failed(cause);
    }
    const gone: BlobId[] = [];
    for (const id of ids) {
      const removed = await blobs.remove([id]).then(
        () => true,
        () => false,
      );
      if (removed) gone.push(id);
    }
    return gone;
  }

  return {
    async remove(ids) {
      // If this cannot be read, the blobs are left for later.
      const hasBackupHold = await ledger.hasBackupHold().catch((cause: unknown) => {
        failed(cause);
        return true;
      });
      if (hasBackupHold) return;
      const gone = await removeEach(ids);
      // The deletion does not wait for this: without it, the removal is only repeated.
      ledger.forgetCondemnedBlobs(gone).catch(failed);
    },
    drain() {
      wanted = true;
      draining ??= drain();
      return draining;
    },
    async close() {
      closed = true;
      await draining;
    },
  };
}
