import type { BlobInspection, Blobs } from "../blobs/port.ts";
import type { BlobLedger } from "../catalog/port/blob-ledger.ts";
import type { BlobId } from "../domain/records.ts";
import type { LostRecords } from "./lost-records.ts";

export interface Sweep {
  /**
   * Removes the orphaned blobs of a block and ends its lease. Returns their number. If the catalog has
   * lost records, moves them to the quarantine instead and returns 0.
   */
  block(block: number): Promise<number>;
  /**
   * Sweeps every block whose lease has expired, and once more a day later if the store may write late. Returns the number of removed blobs. A block that cannot
   * be swept is reported to `onError` and left to the next sweep; the others are swept.
   */
  expired(): Promise<number>;
}

export interface SweepDeps {
  readonly ledger: BlobLedger;
  readonly blobs: Blobs & BlobInspection;
  readonly lostRecords: LostRecords;
  readonly onError: (message: string, cause: unknown) => void;
}

export function createSweep({ ledger, blobs, lostRecords, onError }: SweepDeps): Sweep {
  async function examine(block: number): Promise<{ orphans: BlobId[]; known: Set<BlobId> }> {
    // The store is listed first: a blob that is committed after the listing is not in the list.
    const listed = await blobs.listBlock(block);
    const known = new Set(await ledger.knownBlobs(block));
    return { orphans: listed.filter((id) => !known.has(id)), known };
  }

  /** A committed blob stays known until it is removed, so an orphan among them has lost its record. */
  async function suspectLoss(orphans: readonly BlobId[]): Promise<void> {
    if (orphans.length === 0 || lostRecords.isSuspected()) return;
    const [lost] = await blobs.committedAmong(orphans);
    if (lost === undefined) return;
    lostRecords.suspect(
      `The catalog is older than the blobs or damaged: it has no record of the acknowledged upload in blob ${blobs.placeOf(lost)}.`,
    );
  }

  async function discard(orphans: readonly BlobId[]): Promise<number> {
    await suspectLoss(orphans);
    if (!lostRecords.isSuspected()) {
      await blobs.remove(orphans);
      return orphans.length;
    }
    const moved = await blobs.moveToQuarantine(
      orphans.map((id) => blobs.placeOf(id)),
      lostRecords.quarantine,
    );
    if (moved.length > 0) lostRecords.onMoved(moved.length);
    return 0;
  }

  /** `isLast`: the store has carried out or dropped every write of the block. */
  async function sweepBlock(block: number, isLast = !blobs.mayWriteLate): Promise<number> {
    const { orphans, known } = await examine(block);
    const removed = await discard(orphans);
    // Blobs that the owner discarded are not in the list, and their removal may not be durable yet.
    // Nothing is added to the known blobs of a block without uploads; those that grow must stay.
    await blobs.flushBlock(block, known);
    await (isLast ? ledger.endLease(block) : ledger.closeBlock(block));
    return removed;
  }

  async function attempt<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      onError("Could not sweep a blob block; this will be retried", cause);
      return otherwise;
    }
  }

  return {
    block: (block) => sweepBlock(block),
    async expired() {
      const closed = new Set(await ledger.blocksClosedLongAgo());
      const blocks = [...(await ledger.releaseExpiredLeases()), ...closed];
      // A loss that shows in one block concerns all of them, so none is swept before all were examined.
      const examined: number[] = [];
      for (const block of blocks) {
        const findLoss = async () => {
          await suspectLoss((await examine(block)).orphans);
          return true;
        };
        if (await attempt(findLoss, false)) examined.push(block);
      }
      let removed = 0;
      for (const block of examined)
        removed += await attempt(() => sweepBlock(block, closed.has(block) || undefined), 0);
      return removed;
    },
  };
}
