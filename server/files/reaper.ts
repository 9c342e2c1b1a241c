import type { Blobs } from "../blobs/port.ts";
import type { BlobLedger } from "../catalog/port/blob-ledger.ts";
import { Fault } from "../domain/faults/fault.ts";
import type { BlobId } from "../domain/records.ts";

/**
 * Removes the content of deleted folders and the condemned blobs of deleted files. During a backup hold
 * the blobs stay, and the first sweep after the hold removes them.
 */
export interface Reaper {
  /** Resolves when these condemned blobs of files are removed, or left to a later sweep. Never throws. */
  remove(ids: readonly BlobId[]): Promise<void>;
  /**
   * Empties the folders that were deleted before the call. Removes the blobs that were condemned before
   * the call, unless there is a backup hold. Works in batches, so that other work runs in between.
   * Never throws.
   */
  drain(): Promise<void>;
  /** Ends `drain` after the current batch, and waits for `remove`; the next start continues the rest. */
  close(): Promise<void>;
}

/** Records in one transaction, for which all other changes wait: about 10 ms. */
const RECORDS = 100;
/** Blobs that are removed together. */
const BLOBS = 500;
/** After this many failed removals the store is broken: the rest is left to the next sweep. */
const MAX_STUCK = 5000;

export interface ReaperDeps {
  readonly ledger: BlobLedger;
  readonly blobs: Blobs;
  readonly onError: (message: string, cause: unknown) => void;
}

export function createReaper({ ledger, blobs, onError }: ReaperDeps): Reaper {
  let draining: Promise<void> | undefined;
  const removals = new Set<Promise<void>>();
  let isRequested = false;
  let closed = false;

  const failed = (cause: unknown): void =>
    onError("Could not remove blobs of deleted files; this will be retried", cause);

  /** All records before any blob, since lists have to pass over those that are left. */
  async function emptyFolders(): Promise<void> {
    try {
      while (!closed && (await ledger.emptyRemovedFolders(RECORDS)));
    } catch (cause) {
      if (!(cause instanceof Fault) || cause.kind !== "no_space") throw cause;
      // Blobs that are condemned already make room for the rest.
      failed(cause);
    }
  }

  async function removeAll(): Promise<void> {
    await emptyFolders();
    const stuck = new Set<BlobId>();
    while (stuck.size < MAX_STUCK && !closed) {
      const oldest = await ledger.condemnedBlobs(BLOBS + stuck.size);
      const ids = oldest.filter((id) => !stuck.has(id));
      if (ids.length === 0 || (await ledger.hasBackupHold())) return;
      // Blobs of uploads that ended early may be unfinished.
      const removed = await removeEach(ids, blobs.removeGrowing);
      await ledger.forgetCondemnedBlobs(removed);
      const done = new Set(removed);
      for (const id of ids) if (!done.has(id)) stuck.add(id);
    }
  }

  /** A call during a round may concern blobs that the round has not seen, so another round follows. */
  async function drain(): Promise<void> {
    while (isRequested && !closed) {
      isRequested = false;
      await removeAll().catch(failed);
    }
    draining = undefined;
  }

  /** A damaged record may name the blob of another file. */
  async function unused(ids: readonly BlobId[]): Promise<readonly BlobId[]> {
    try {
      const used = new Set(await ledger.blobsInUse(ids));
      return ids.filter((id) => !used.has(id));
    } catch (cause) {
      failed(cause);
      return [];
    }
  }

  /** Removes all together, or one by one if that fails, so that one failure does not affect the others. */
  async function removeEach(
    ids: readonly BlobId[],
    remove: Blobs["remove"],
  ): Promise<readonly BlobId[]> {
    try {
      await remove(ids);
      return ids;
    } catch (cause) {
      failed(cause);
    }
    const removed: BlobId[] = [];
    for (const id of ids) {
      const isRemoved = await remove([id]).then(
        () => true,
        () => false,
      );
      if (isRemoved) removed.push(id);
    }
    return removed;
  }

  async function removeNow(ids: readonly BlobId[]): Promise<void> {
    // If this cannot be read, the blobs are left to a later sweep.
    const hasBackupHold = await ledger.hasBackupHold().catch((cause: unknown) => {
      failed(cause);
      return true;
    });
    if (hasBackupHold) return;
    const removed = await removeEach(await unused(ids), blobs.remove);
    // The deletion does not wait for this: if it fails, a sweep only repeats the removal.
    ledger.forgetCondemnedBlobs(removed).catch(failed);
  }

  return {
    remove(ids) {
      const removal = removeNow(ids).finally(() => removals.delete(removal));
      removals.add(removal);
      return removal;
    },
    drain() {
      isRequested = true;
      draining ??= drain();
      return draining;
    },
    async close() {
      closed = true;
      await Promise.all([draining, ...removals]);
    },
  };
}
