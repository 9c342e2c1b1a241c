import type { BlobInspection, Blobs } from "../../blobs/port.ts";
import type { BlobLedger } from "../../catalog/port/blob-ledger.ts";
import type { BlobId } from "../../domain/records.ts";
import type { Orphan } from "./finding.ts";

export interface FindOrphansDeps {
  readonly ledger: Pick<BlobLedger, "knownBlobs" | "leaseState">;
  readonly blobs: Pick<Blobs, "listBlocks" | "listBlock"> & BlobInspection;
}

export interface FindOrphans {
  /** Every orphan in the store. `onSkipped` gets the number of blobs that may belong to an upload. */
  all(onSkipped: (count: number) => void): AsyncIterable<Orphan>;
  /**
   * The orphans among these blobs of a block. "skipped": the block's lease is active or its sweep is
   * due, so they cannot be determined.
   */
  ofBlock(block: number, ids: readonly BlobId[]): Promise<Orphan[] | "skipped">;
}

/*
 * There are no false findings while the service runs, because of the order of the steps.
 *
 * 1. List the block: these blobs exist.
 * 2. Read its lease. Only under a lease does the catalog get new blobs of a block, so if there is none, it
 *    has ended. A block is leased once, so no blob becomes known from here on.
 * 3. Read the block's known blobs. They include every upload that was committed before step 2, unless
 *    its file has been deleted, and those that still grow. A blob that is unknown now stays unknown.
 * 4. Check that the blob still exists. A deleted file's blob is forgotten only after its durable
 *    removal, so a blob that is unknown in step 3 and exists in step 4 is an orphan.
 *
 * With step 3 before step 2, an upload could be committed and its lease end in between.
 *
 * An expired lease no longer belongs to its owner; a due one is about to be swept by a running server, and a
 * released one by the process that released it. A closed block was swept, and is once more a day later:
 * its orphans were written late by the store.
 */
export function createFindOrphans({ ledger, blobs }: FindOrphansDeps): FindOrphans {
  async function unknownOf(block: number, ids: readonly BlobId[]): Promise<BlobId[]> {
    const known = new Set(await ledger.knownBlobs(block));
    return ids.filter((id) => !known.has(id));
  }

  async function ofBlock(block: number, ids: readonly BlobId[]) {
    const lease = await ledger.leaseState(block);
    if (lease === "active" || lease === "due" || lease === "released") return "skipped";
    const found: Orphan[] = [];
    for (const blobId of await unknownOf(block, ids)) {
      const place = blobs.placeOf(blobId);
      if (!(await blobs.exists(place))) continue;
      const size = (await blobs.sizeOf(blobId)) ?? null;
      found.push({
        type: "foreign",
        place,
        blobId,
        size,
        leftOver: lease === "expired" || lease === "closed",
      });
    }
    return found;
  }

  return {
    ofBlock,
    async *all(onSkipped) {
      for await (const block of blobs.listBlocks()) {
        const listed = await blobs.listBlock(block);
        // Checked first, as reading the lease is a write transaction and so more expensive.
        const suspects = listed.length === 0 ? [] : await unknownOf(block, listed);
        if (suspects.length === 0) continue;
        const found = await ofBlock(block, suspects);
        if (found === "skipped") onSkipped(suspects.length);
        else yield* found;
      }
      for await (const place of blobs.listUnrecognized()) {
        if (!(await blobs.exists(place))) continue;
        yield { type: "foreign", place, blobId: null, size: null, leftOver: false };
      }
    },
  };
}
