import { condemnBlobs } from "../blobs/condemn-blobs.ts";
import { requireLeases } from "../blobs/require-leases.ts";
import { type Param, prepared } from "../engine/prepared-statement.ts";
import type { Tx } from "../engine/tx.ts";
import type { UploadProgress } from "../port/uploads.ts";
import type { UploadsTable } from "../tables/uploads.ts";
import { pathHashOf } from "./batch-paths.ts";
import { extendBatch } from "./batches.ts";
import { isWriter, lockUpload, releaseUpload } from "./upload-writers.ts";

export async function saveUpload(tx: Tx, progress: UploadProgress): Promise<boolean> {
  const { id, epoch, tailBlobId: tail, expiresAt } = progress;
  const row = await lockUpload(tx, id);
  if (row === undefined || !isWriter(row, epoch)) return false;
  if (tail !== row.tail_blob_id) {
    if (tail !== null) await requireLeases(tx, row.writer ?? "", [tail]);
    if (row.tail_blob_id !== null) await condemnBlobs(tx, [row.tail_blob_id]);
  }
  const name = progress.name ?? row.name;
  await tx.all(updateUpload, {
    id,
    offset: progress.offset,
    checksum: progress.checksum,
    growth: progress.growth,
    tail_blob_id: tail,
    tail_size: progress.tailSize,
    length: progress.length ?? row.length,
    name,
    path_hash: pathHashOf({ batchId: row.batch_id, folder: row.folder, name }),
    content_type: progress.contentType ?? row.content_type,
    // A writer that was asked to stop must not keep the next one waiting for longer.
    heartbeat: row.must_stop === 1 ? row.heartbeat : tx.leaseTime,
    expires_at: expiresAt,
  });
  if (progress.release === true) await releaseUpload(tx, id, epoch);
  if (row.batch_id !== null) await extendBatch(tx, row.batch_id, expiresAt);
  return true;
}

type Progress = Pick<
  UploadsTable,
  | "id"
  | "offset"
  | "checksum"
  | "growth"
  | "tail_blob_id"
  | "tail_size"
  | "path_hash"
  | "length"
  | "name"
  | "content_type"
  | "heartbeat"
  | "expires_at"
>;

const updateUpload = prepared((db, param: Param<Progress>) =>
  db
    .updateTable("uploads")
    .set({
      offset: param("offset"),
      checksum: param("checksum"),
      growth: param("growth"),
      tail_blob_id: param("tail_blob_id"),
      tail_size: param("tail_size"),
      path_hash: param("path_hash"),
      length: param("length"),
      name: param("name"),
      content_type: param("content_type"),
      heartbeat: param("heartbeat"),
      expires_at: param("expires_at"),
    })
    .where("id", "=", param("id")),
);
