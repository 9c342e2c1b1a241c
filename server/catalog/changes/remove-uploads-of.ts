import { isOpen, isOpenBatch } from "../queries/select-uploads.ts";
import type { Tx } from "../tx.ts";
import { deleteBatch, lockBatch } from "./batches.ts";
import { removeMultipartsOf } from "./multipart-uploads.ts";
import { removeUploads } from "./remove-uploads.ts";

/** Removes the open uploads, multipart uploads and batches of removed keys: nobody can finish them any more. */
export async function removeUploadsOf(tx: Tx, keyIds: readonly string[]): Promise<void> {
  const uploads = await tx.db
    .selectFrom("uploads")
    .select("id")
    .where(isOpen)
    .where("maker_kind", "=", "key")
    .where("maker_id", "in", keyIds)
    .orderBy("id")
    .forUpdate()
    .execute();
  await removeUploads(
    tx,
    uploads.map(({ id }) => id),
  );
  await removeMultipartsOf(tx, keyIds);
  const batches = await tx.db
    .selectFrom("batches")
    .select("id")
    .where(isOpenBatch)
    .where("maker_kind", "=", "key")
    .where("maker_id", "in", keyIds)
    .execute();
  for (const { id } of batches) {
    // It may have been committed or removed meanwhile.
    const batch = await lockBatch(tx, id);
    if (batch?.state === "open") await deleteBatch(tx, id);
  }
}
