import type { Blobs } from "../blobs/port.ts";
import type { BlobLedger } from "../catalog/port.ts";

/** Removes the orphaned blobs of a block and ends its lease. Returns their number. */
export type SweepBlock = (block: number) => Promise<number>;

export interface SweepParts {
  readonly ledger: BlobLedger;
  readonly blobs: Blobs;
}

export function createSweepBlock({ ledger, blobs }: SweepParts): SweepBlock {
  return async (block) => {
    // The store is listed first: a blob that is committed after the listing is not in the list.
    const listed = await blobs.listBlock(block);
    const known = new Set(await ledger.knownBlobs(block));
    const orphans = listed.filter((id) => !known.has(id));
    await blobs.remove(orphans);
    // Blobs that the owner discarded are not in the list, and their removal may not be durable yet.
    await blobs.flushBlock(block);
    await ledger.endLease(block);
    return orphans.length;
  };
}

/**
 * Sweeps every block whose lease has expired. Returns the number of orphaned blobs. A block that cannot
 * be swept is reported to `onError` and left to the next sweep; the others are swept.
 */
export async function sweepExpired(
  ledger: BlobLedger,
  sweepBlock: SweepBlock,
  onError: (message: string, cause: unknown) => void,
): Promise<number> {
  let removed = 0;
  for (const block of await ledger.releaseExpiredLeases()) {
    try {
      removed += await sweepBlock(block);
    } catch (cause) {
      onError("Could not sweep a blob block; this will be retried", cause);
    }
  }
  return removed;
}
