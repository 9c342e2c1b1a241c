import type { Millis } from "../../domain/records.ts";
import { condemnUploads } from "../blobs/condemn-blobs.ts";
import { chunks } from "../engine/chunks.ts";
import type { Tx } from "../engine/tx.ts";
import { deleteBatch, lockBatch } from "./batches.ts";

export const removeUpload = async (tx: Tx, id: string): Promise<boolean> =>
  (await removeUploads(tx, [id])) > 0;

export async function removeExpiredUploads(tx: Tx, now: Millis, limit: number): Promise<boolean> {
  const uploads = await tx.db
    .selectFrom("uploads")
    .select("id")
    .where("expires_at", "<=", now)
    // A batch that lacks a file must not be committed, so its open uploads stay as long as it does.
    .where((eb) => eb.or([eb("batch_id", "is", null), eb("state", "=", "finished")]))
    .orderBy("expires_at")
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
  await removeUploads(
    tx,
    uploads.map(({ id }) => id),
  );
  if (uploads.length === limit) return true;
  // A batch may have very many members.
  const found = await tx.db
    .selectFrom("batches")
    .select("id")
    .where("expires_at", "<=", now)
    .orderBy("expires_at")
    .limit(1)
    .executeTakeFirst();
  const batch = found && (await lockBatch(tx, found.id));
  if (batch === undefined) return false;
  // It may have got another member before it was locked.
  if (batch.expires_at <= now) await deleteBatch(tx, batch.id);
  return true;
}

/**
 * Removes the open uploads of a batch for these paths: the client that sends a file again may not have
 * the URL of the first upload, and the batch could not be committed. Returns how many there were.
 */
export async function removeUploadsOfPaths(
  tx: Tx,
  batchId: string,
  pathHashes: readonly string[],
): Promise<number> {
  let removed = 0;
  for (const chunk of chunks(pathHashes)) {
    const same = await tx.db
      .selectFrom("uploads")
      .select("id")
      .where("batch_id", "=", batchId)
      .where("state", "=", "open")
      .where("path_hash", "in", chunk)
      .execute();
    removed += await removeUploads(
      tx,
      same.map(({ id }) => id),
    );
  }
  return removed;
}

/** Condemns the blobs of open ones. Returns how many there were. */
export async function removeUploads(tx: Tx, ids: readonly string[]): Promise<number> {
  let removed = 0;
  for (const chunk of chunks(ids)) {
    const rows = await tx.db
      .deleteFrom("uploads")
      .where("id", "in", chunk)
      .returning(["blob_id", "tail_blob_id", "state"])
      .execute();
    await condemnUploads(
      tx,
      rows.filter(({ state }) => state === "open"),
    );
    removed += rows.length;
  }
  return removed;
}
