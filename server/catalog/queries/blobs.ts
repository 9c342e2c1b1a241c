import type { BlobId } from "../../rules/records.ts";
import { chunks } from "../chunks.ts";
import type { Engine } from "../engine.ts";
import { createBlobsAfter } from "./blobs-after.ts";
import { selectKnownBlobs } from "./known-blobs.ts";
import { totals } from "./totals.ts";

export function createBlobQueries({ db }: Pick<Engine, "db">) {
  return {
    async knownBlobs(block: number): Promise<BlobId[]> {
      const rows = await selectKnownBlobs(db, block).execute();
      return rows.map(({ blob_id }) => blob_id);
    },
    async condemnedBlobs(limit: number): Promise<BlobId[]> {
      const rows = await db
        .selectFrom("condemned")
        .select("blob_id")
        // A damaged row may name another blob.
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom("files")
                .select("files.id")
                .whereRef("files.blob_id", "=", "condemned.blob_id"),
            ),
          ),
        )
        .orderBy("condemned_at")
        .orderBy("blob_id")
        .limit(limit)
        .execute();
      return rows.map(({ blob_id }) => blob_id);
    },
    async blobsInUse(ids: readonly BlobId[]): Promise<BlobId[]> {
      const used: BlobId[] = [];
      for (const chunk of chunks(ids)) {
        const rows = await db
          .selectFrom("files")
          .select("blob_id")
          .where("blob_id", "in", chunk)
          .execute();
        used.push(...rows.map(({ blob_id }) => blob_id));
      }
      return used;
    },
    blobsAfter: createBlobsAfter(db),
    storedTotals: () => totals(db),
  };
}
