import type { Blobs } from "../blobs/port.ts";
import type { BlobLedger } from "../catalog/port.ts";

/** Removes the blobs of a block that no file refers to, and ends its lease. Returns how many went. */
export type SweepBlock = (block: number) => Promise<number>;

export interface SweepParts {
  readonly ledger: BlobLedger;
  readonly blobs: Blobs;
}

export function createSweepBlock({ ledger, blobs }: SweepParts): SweepBlock {
  return async (block) => {
    // The store is listed first: a blob that a commit makes known after that is not in the list.
    const there = await blobs.listBlock(block);
    const known = new Set(await ledger.knownBlobs(block));
    const leftOver = there.filter((id) => !known.has(id));
    await blobs.remove(leftOver);
    // What the owner discarded is not in the list, and may not be gone for good.
    await blobs.settleBlock(block);
    await ledger.endLease(block);
    return leftOver.length;
  };
}

/**
 * Sweeps every block whose owner is gone. Returns how many blobs went. A block that cannot be swept
 * keeps no other from it: `onError` hears of it, and the next sweep tries it again.
 */
export async function sweepLapsed(
  ledger: BlobLedger,
  sweepBlock: SweepBlock,
  onError: (message: string, cause: unknown) => void,
): Promise<number> {
  let removed = 0;
  for (const block of await ledger.releaseExpiredLeases()) {
    try {
      removed += await sweepBlock(block);
    } catch (cause) {
      onError("A block of blobs was not swept; this is tried again", cause);
    }
  }
  return removed;
}
