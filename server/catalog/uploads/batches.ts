import type { Millis } from "../../domain/records.ts";
import { condemnBlobs, condemnUploads } from "../blobs/condemn-blobs.ts";
import { type Param, prepared } from "../engine/prepared-statement.ts";
import type { Tx } from "../engine/tx.ts";
import { selectBatches } from "../records/select-uploads.ts";
import type { BatchesTable } from "../tables/uploads.ts";

/** Lets it expire no earlier, as far as that makes a difference of more than a minute. */
export async function extendBatch(tx: Tx, id: string, expiresAt: Millis): Promise<void> {
  await tx.all(extend, { id, expiresAt, enough: expiresAt - 60_000 });
}

const extend = prepared((db, param: Param<{ id: string; expiresAt: Millis; enough: Millis }>) =>
  db
    .updateTable("batches")
    .set({ expires_at: param("expiresAt") })
    .where("id", "=", param("id"))
    .where("state", "=", "open")
    .where("expires_at", "<", param("enough")),
);

export async function removeBatch(tx: Tx, id: string): Promise<boolean> {
  const batch = await lockBatch(tx, id);
  if (batch === undefined) return false;
  await deleteBatch(tx, id);
  return true;
}

/** Locked with its uploads. */
export async function lockBatch(tx: Tx, id: string): Promise<BatchesTable | undefined> {
  // Changes of an upload lock it before they lock its batch.
  await tx.lockRows(
    tx.db.selectFrom("uploads").select("id").where("batch_id", "=", id).orderBy("id"),
  );
  return selectBatches(tx.db).where("id", "=", id).forUpdate().executeTakeFirst();
}

/** Removes a locked batch with everything in it. */
export async function deleteBatch(tx: Tx, id: string): Promise<void> {
  const uploads = await tx.db
    .deleteFrom("uploads")
    .where("batch_id", "=", id)
    .returning(["blob_id", "tail_blob_id", "state"])
    .execute();
  await condemnUploads(
    tx,
    uploads.filter(({ state }) => state === "open"),
  );
  const members = await tx.db
    .deleteFrom("batch_members")
    .where("batch_id", "=", id)
    .returning("blob_id")
    .execute();
  await condemnBlobs(
    tx,
    members.map(({ blob_id }) => blob_id),
  );
  await tx.db.deleteFrom("batch_folders").where("batch_id", "=", id).execute();
  await tx.db.deleteFrom("batches").where("id", "=", id).execute();
}
