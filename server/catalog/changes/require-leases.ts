import { blockOf } from "../../rules/blob-id.ts";
import { Fault } from "../../rules/fault.ts";
import type { BlobId } from "../../rules/records.ts";
import { paddedChunks } from "../chunks.ts";
import { preparedForItems } from "../prepared-statement.ts";
import type { Tx } from "../tx.ts";

/**
 * Fault "unavailable": the owner has lost the lease of a blob's block. Orphans of such a block may
 * be swept at any moment, so no record may refer to them.
 */
export async function requireLeases(
  tx: Tx,
  owner: string,
  blobs: readonly BlobId[],
): Promise<void> {
  const blocks = [...new Set(blobs.map(blockOf))];
  let leased = 0;
  for (const chunk of paddedChunks(blocks)) {
    const items = chunk.map((block) => ({ block }));
    leased += (await tx.all(lockLeases(items.length), { items, shared: { owner } })).length;
  }
  if (leased === blocks.length) return;
  throw new Fault(
    "unavailable",
    "The upload took too long to be kept alive, and its bytes may be gone. Please try again.",
  );
}

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
