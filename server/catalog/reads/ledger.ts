import type { Engine } from "../engine.ts";
import { selectKnownBlobs } from "../known-blobs.ts";
import type { BlobLedger } from "../port.ts";
import { createBlobsAfter } from "./blobs-after.ts";
import { totals } from "./totals.ts";

export function createBlobLedger({ db, change }: Pick<Engine, "db" | "change">): BlobLedger {
  return {
    leaseBlock: (owner) => change("leaseBlock", owner),
    keepLeases: (owner, blocks) => change("keepLeases", { owner, blocks }),
    lapsedBlocks: () => change("lapsedBlocks", null),
    async knownBlobs(block) {
      const rows = await selectKnownBlobs(db, block).execute();
      return rows.map(({ blob_id }) => blob_id);
    },
    leaseOf: (block) => change("leaseOf", block),
    disownAll: (owner) => change("disownAll", owner),
    disownBlock: (block) => change("disownBlock", block),
    closeBlock: (block) => change("closeBlock", block),
    async condemnedBlobs(limit) {
      const rows = await db
        .selectFrom("condemned")
        .select("blob_id")
        .orderBy("condemned_at")
        .orderBy("blob_id")
        .limit(limit)
        .execute();
      return rows.map(({ blob_id }) => blob_id);
    },
    emptyRemoved: (limit) => change("emptyRemoved", limit),
    forgetBlobs: (ids) => change("forgetBlobs", ids),
    takeHold: (owner) => change("takeHold", owner),
    keepHold: (owner) => change("keepHold", owner),
    endHold: (owner) => change("endHold", owner),
    async isHeld() {
      // Hardly ever is there a hold, and then nobody has to wait for a commit.
      const found = await db.selectFrom("holds").select("owner").limit(1).executeTakeFirst();
      return found !== undefined && change("liveHolds", null);
    },
    blobsAfter: createBlobsAfter(db),
    storedTotals: () => totals(db),
    dropRecords: (blobs) => change("dropRecords", blobs),
  };
}
