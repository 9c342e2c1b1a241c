import type { BlobInspection, Blobs } from "../blobs/port.ts";
import type { BlobLedger } from "../catalog/port.ts";
import type { BlobId } from "../rules/records.ts";
import type { ForeignBytes } from "./finding.ts";

export interface FindForeignParts {
  readonly ledger: Pick<BlobLedger, "knownBlobs" | "leaseState">;
  readonly blobs: Pick<Blobs, "listBlocks" | "listBlock"> & BlobInspection;
}

export interface FindForeign {
  /** Everything in the store that nobody owns. `passOver` hears how many may be on their way. */
  all(passOver: (count: number) => void): AsyncIterable<ForeignBytes>;
  /**
   * Those of a block's blobs that nobody owns and nobody ever will; "passed over" when its lease is
   * alive or its sweep is due, so that this cannot be told.
   */
  ofBlock(block: number, ids: readonly BlobId[]): Promise<ForeignBytes[] | "passed over">;
}

/*
 * Nothing is invented, whatever goes on meanwhile; the order of the questions sees to it.
 *
 * 1. The block is listed: these bytes were there.
 * 2. The lease: when there is none, it has ended, since bytes come only after it. It never comes
 *    back, so from here on no upload into the block can be under way or be committed.
 * 3. What is known of the block: an upload that was committed before 2 is known here, unless its
 *    file is deleted already. What is not known never will be.
 * 4. Whether the bytes are still there: those of a deleted file are forgotten only after they have
 *    gone for good. So what is unknown at 3 and there at 4 is nobody's.
 *
 * Asking 3 before 2 would invent: an upload could be committed, and its lease end, in between.
 *
 * A lapsed lease is its owner's no more, by the ledger's rule; one that has been taken is about to
 * be swept, so that whoever took it removes these bytes.
 */
export function createFindForeign({ ledger, blobs }: FindForeignParts): FindForeign {
  async function unknownOf(block: number, ids: readonly BlobId[]): Promise<BlobId[]> {
    const known = new Set(await ledger.knownBlobs(block));
    return ids.filter((id) => !known.has(id));
  }

  async function ofBlock(block: number, ids: readonly BlobId[]) {
    const lease = await ledger.leaseState(block);
    if (lease === "active" || lease === "released") return "passed over";
    const found: ForeignBytes[] = [];
    for (const blobId of await unknownOf(block, ids)) {
      const place = blobs.placeOf(blobId);
      if (!(await blobs.isThere(place))) continue;
      const size = (await blobs.sizeOf(blobId)) ?? null;
      found.push({ type: "foreign", place, blobId, size, leftOver: lease === "expired" });
    }
    return found;
  }

  return {
    ofBlock,
    async *all(passOver) {
      for await (const block of blobs.listBlocks()) {
        const there = await blobs.listBlock(block);
        // Asked first without the lease, which is a change and so not as cheap.
        const suspects = there.length === 0 ? [] : await unknownOf(block, there);
        if (suspects.length === 0) continue;
        const found = await ofBlock(block, suspects);
        if (found === "passed over") passOver(suspects.length);
        else yield* found;
      }
      for await (const place of blobs.listStrange()) {
        if (!(await blobs.isThere(place))) continue;
        yield { type: "foreign", place, blobId: null, size: null, leftOver: false };
      }
    },
  };
}
