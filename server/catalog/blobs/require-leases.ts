import { blockOf } from "../../domain/blob-id.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { BlobId } from "../../domain/records.ts";
import { paddedChunks } from "../engine/chunks.ts";
import { preparedForItems } from "../engine/prepared-statement.ts";
import type { Tx } from "../engine/tx.ts";

/**
 * Fault "unavailable": the owner has lost the lease of a blob's block. Orphans of such a block may
 * be swept at any moment, so no record may refer to them.
 */
export async function requireLeases(
  tx: Tx,
  owner: string,
  blobs: readonly BlobId[],
): Promise<void> {
  const leased = await lockLeasedBlocks(tx, owner, blobs);
  if (!blobs.every((blob) => leased.has(blockOf(blob)))) throw lostLease();
}

/** Those of the blobs' blocks that the owner leases; it keeps them until the transaction ends. */
export async function lockLeasedBlocks(
  tx: Tx,
  owner: string,
  blobs: readonly BlobId[],
): Promise<Set<number>> {
  const leased = new Set<number>();
  for (const chunk of paddedChunks([...new Set(blobs.map(blockOf))])) {
    const items = chunk.map((block) => ({ block }));
    const rows = await tx.all(lockLeases(items.length), { items, shared: { owner } });
    for (const { block } of rows) leased.add(block);
  }
  return leased;
}

export const lostLease = (): Fault =>
  new Fault(
    "unavailable",
    "The upload took too long to be kept alive, and its bytes may be gone. Please try again.",
  );

/** The lease cannot be released before the transaction ends, but it can be renewed. */
const lockLeases = preparedForItems<{ block: number }, { owner: string }, { block: number }>(
  (db, blocks, param) =>
    db
      .selectFrom("blob_leases")
      .select("block")
      .where(
        "block",
        "in",
        blocks.map((each) => each("block")),
      )
      .where("owner", "=", param("owner"))
      .forKeyShare(),
);
