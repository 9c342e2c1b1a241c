import type { Tx } from "../engine/tx.ts";
import { removeMultipartsOf } from "../objects/multipart-uploads.ts";
import { isOpen, isOpenBatch } from "../records/select-uploads.ts";
import { deleteBatch, lockBatch } from "./batches.ts";
import { removeUploads } from "./remove-uploads.ts";

/**
 * Removes the open uploads, multipart uploads and batches of removed keys and accounts, or ended links: nobody can
 * finish them any more.
 */
export async function removeUploadsOf(
  tx: Tx,
  kind: "key" | "account" | "link",
  makerIds: readonly string[],
): Promise<void> {
  const uploads = await tx.db
    .selectFrom("uploads")
    .select("id")
    .where(isOpen)
    .where("maker_kind", "=", kind)
    .where("maker_id", "in", makerIds)
    .orderBy("id")
    .forUpdate()
    .execute();
  await removeUploads(
    tx,
    uploads.map(({ id }) => id),
  );
  if (kind === "key") await removeMultipartsOf(tx, makerIds);
  const batches = await tx.db
    .selectFrom("batches")
    .select("id")
    .where(isOpenBatch)
    .where("maker_kind", "=", kind)
    .where("maker_id", "in", makerIds)
    .execute();
  for (const { id } of batches) {
    // It may have been committed or removed meanwhile.
    const batch = await lockBatch(tx, id);
    if (batch?.state === "open") await deleteBatch(tx, id);
  }
}
