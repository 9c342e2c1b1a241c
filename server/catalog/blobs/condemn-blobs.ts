import type { BlobId } from "../../domain/records.ts";
import { chunks, evenChunks } from "../engine/chunks.ts";
import { preparedForItems } from "../engine/prepared-statement.ts";
import type { Tx } from "../engine/tx.ts";
import type { CondemnedTable } from "../tables/blobs.ts";
import type { UploadsTable } from "../tables/uploads.ts";

/** Marks blobs that no record refers to any more: their bytes are to be removed. */
export async function condemnBlobs(tx: Tx, ids: readonly BlobId[]): Promise<void> {
  tx.dryRun?.condemned.push(...ids);
  const rows = ids.map((blob_id) => ({ blob_id, condemned_at: tx.now }));
  for (const items of evenChunks(rows)) {
    await tx.all(insertCondemned(items.length), { items, shared: {} });
  }
}

const insertCondemned = preparedForItems<CondemnedTable, Record<never, never>, unknown>(
  (db, rows) =>
    db
      .insertInto("condemned")
      .values(rows.map((row) => ({ blob_id: row("blob_id"), condemned_at: row("condemned_at") })))
      // After damage, another record may have named this blob.
      .onConflict((conflict) => conflict.column("blob_id").doNothing()),
);

/** Condemns the blobs of open uploads. */
export const condemnUploads = (
  tx: Tx,
  uploads: readonly Pick<UploadsTable, "blob_id" | "tail_blob_id">[],
): Promise<void> =>
  condemnBlobs(
    tx,
    uploads.flatMap(({ blob_id: content, tail_blob_id: tail }) =>
      tail === null ? [content] : [content, tail],
    ),
  );

/** Ends the condemnation of blobs whose bytes are removed. */
export async function forgetCondemnedBlobs(tx: Tx, ids: readonly BlobId[]): Promise<void> {
  for (const chunk of chunks(ids)) {
    await tx.db.deleteFrom("condemned").where("blob_id", "in", chunk).execute();
  }
}
