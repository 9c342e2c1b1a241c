import type { Blobs } from "../blobs/port.ts";
import type { BlobLedger } from "../catalog/port.ts";
import type { BlobId } from "../rules/records.ts";

/**
 * Removes what was in removed folders, and the bytes of files whose records are gone. While somebody holds them for copying, they
 * stay condemned, and the first sweep after that removes them.
 */
export interface Reaper {
  /** Removes these condemned blobs; resolves when their bytes are gone or are left for later. */
  remove(ids: readonly BlobId[]): Promise<void>;
  /**
   * Empties the folders that were removed before the call and removes everything that was condemned
   * then, as far as it may go, in steps that let others in. Never throws.
   */
  drain(): Promise<void>;
  /** Ends a draining after its step; the next start goes on with it. */
  close(): Promise<void>;
}

/** A step of so many keeps the catalog from others for some 20 ms. */
const BATCH = 500;
/** With so many blobs that cannot be removed, the store is out of order: another time. */
const MOST_STUCK = 5000;

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
    while (stuck.size < MOST_STUCK && !closed) {
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

  /** Whoever asks while a round is ending may mean what that round has not seen: another follows. */
  async function drain(): Promise<void> {
    while (wanted && !closed) {
      wanted = false;
      await removeAll().catch(failed);
    }
    draining = undefined;
  }

  /** Removes all at once, or where that fails one by one, so that one that stays keeps no other. */
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
      // Where it cannot be known, they are left for later as well.
      const hasBackupHold = await ledger.hasBackupHold().catch((cause: unknown) => {
        failed(cause);
        return true;
      });
      if (hasBackupHold) return;
      const gone = await removeEach(ids);
      // Whoever deletes need not wait for the note: without it the removal is merely repeated.
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
