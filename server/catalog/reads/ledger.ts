import type { Engine } from "../engine.ts";
import { selectKnownBlobs } from "../known-blobs.ts";
import type { BlobLedger } from "../port.ts";
import { createBlobsAfter } from "./blobs-after.ts";
import { totals } from "./totals.ts";

export function createBlobLedger({ db, change }: Pick<Engine, "db" | "change">): BlobLedger {
  return {
    leaseBlock: (owner) => change("leaseBlock", owner),
    renewLeases: (owner, blocks) => change("renewLeases", { owner, blocks }),
    releaseExpiredLeases: () => change("releaseExpiredLeases", null),
    async knownBlobs(block) {
      const rows = await selectKnownBlobs(db, block).execute();
      return rows.map(({ blob_id }) => blob_id);
    },
    leaseState: (block) => change("leaseState", block),
    releaseLeasesOf: (owner) => change("releaseLeasesOf", owner),
    releaseLease: (block) => change("releaseLease", block),
    endLease: (block) => change("endLease", block),
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
    emptyRemovedFolders: (limit) => change("emptyRemovedFolders", limit),
    forgetCondemnedBlobs: (ids) => change("forgetCondemnedBlobs", ids),
    startBackupHold: (owner) => change("startBackupHold", owner),
    renewBackupHold: (owner) => change("renewBackupHold", owner),
    endBackupHold: (owner) => change("endBackupHold", owner),
    async hasBackupHold() {
      // Hardly ever is there a hold, and then nobody has to wait for a commit.
      const found = await db.selectFrom("holds").select("owner").limit(1).executeTakeFirst();
      return found !== undefined && change("removeExpiredHolds", null);
    },
    blobsAfter: createBlobsAfter(db),
    storedTotals: () => totals(db),
    dropRecords: (blobs) => change("dropRecords", blobs),
  };
}
