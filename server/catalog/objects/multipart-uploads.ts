import { forbidden } from "../../domain/callers/scope.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { Key, Millis } from "../../domain/records.ts";
import { condemnBlobs } from "../blobs/condemn-blobs.ts";
import { requireLeases } from "../blobs/require-leases.ts";
import { chunks } from "../engine/chunks.ts";
import { type Param, prepared } from "../engine/prepared-statement.ts";
import type { Tx } from "../engine/tx.ts";
import type { NewMultipart } from "../port/multiparts.ts";
import { isUnfinished, selectMultiparts } from "../records/select-multiparts.ts";
import type { MultipartUploadsTable } from "../tables/multiparts.ts";
import { countOpenMultiparts } from "../uploads/count-open-uploads.ts";
import { lockMaker } from "../uploads/lock-maker.ts";

export async function addMultipart(tx: Tx, upload: NewMultipart, maxOpen: number): Promise<void> {
  await lockMaker(tx, upload.maker);
  const count = await countOpenMultiparts(tx.db, upload.maker);
  if (count >= maxOpen) {
    throw new Fault(
      "rate_limited",
      `There are ${count} open multipart uploads already, and at most ${maxOpen} are allowed. Complete or abort some of them first.`,
      { retryAfter: 60 },
    );
  }
  if (upload.blobId !== null) await requireLeases(tx, upload.owner, [upload.blobId]);
  await tx.db
    .insertInto("multipart_uploads")
    .values({
      id: upload.id,
      bucket: upload.bucket,
      key: upload.key,
      maker_kind: upload.maker.kind,
      maker_id: upload.maker.id,
      maker_name: upload.maker.name,
      attributes: JSON.stringify(upload.attributes),
      blob_id: upload.blobId,
      part_size: null,
      state: "open",
      file_id: null,
      etag: null,
      created_at: upload.createdAt,
      expires_at: upload.expiresAt,
    })
    .execute();
}

/** The row, locked until the transaction ends. Changes of its parts lock it first. */
export const lockMultipart = async (
  tx: Tx,
  id: string,
): Promise<MultipartUploadsTable | undefined> => tx.first(selectForUpdate, { id });

/** Fault "not_found": there is no such unfinished upload. */
export async function lockUnfinished(tx: Tx, id: string): Promise<MultipartUploadsTable> {
  const row = await lockMultipart(tx, id);
  if (row === undefined || row.state === "finished") throw noSuchMultipart();
  return row;
}

export const noSuchMultipart = (): Fault => new Fault("not_found", "No such multipart upload.");

export async function abortMultipart(tx: Tx, id: string): Promise<boolean> {
  const row = await lockMultipart(tx, id);
  if (row === undefined || row.state === "finished") return false;
  await removeMultiparts(tx, [row]);
  return true;
}

export async function removeExpiredMultiparts(
  tx: Tx,
  now: Millis,
  limit: number,
): Promise<boolean> {
  const rows = await selectMultiparts(tx.db)
    .where("expires_at", "<=", now)
    .orderBy("expires_at")
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
  await removeMultiparts(tx, rows);
  return rows.length === limit;
}

/** Removes those of a bucket. Fault "forbidden": one of them is unfinished, and not the caller's to end. */
export async function removeMultipartsIn(tx: Tx, bucket: Key): Promise<void> {
  const rows = await selectMultiparts(tx.db)
    .where("bucket", "=", bucket)
    .orderBy("id")
    .forUpdate()
    .execute();
  const isOthers = ({ maker_kind: kind, maker_id: id, state }: MultipartUploadsTable): boolean =>
    state !== "finished" && (kind !== tx.actor.kind || id !== tx.actor.id);
  if (tx.keepsUploads === true && rows.some(isOthers)) throw forbidden("delete");
  await removeMultiparts(tx, rows);
}

/** Removes those that removed API keys have started: nobody can complete them any more. */
export async function removeMultipartsOf(tx: Tx, keyIds: readonly string[]): Promise<void> {
  for (const chunk of chunks(keyIds)) {
    const rows = await selectMultiparts(tx.db)
      .where(isUnfinished)
      .where("maker_kind", "=", "key")
      .where("maker_id", "in", chunk)
      .orderBy("id")
      .forUpdate()
      .execute();
    await removeMultiparts(tx, rows);
  }
}

/** Removes locked uploads and condemns the blobs that are theirs. */
async function removeMultiparts(tx: Tx, uploads: readonly MultipartUploadsTable[]): Promise<void> {
  for (const { id, blob_id, state } of uploads) {
    if (blob_id !== null && state !== "finished") await condemnBlobs(tx, [blob_id]);
    await removeParts(tx, id);
    await tx.all(deleteUpload, { id });
  }
}

/** Removes all parts of a locked upload, and condemns their own blobs. */
export async function removeParts(tx: Tx, uploadId: string): Promise<void> {
  const parts = await tx.all(deleteParts, { uploadId });
  await condemnBlobs(
    tx,
    parts.flatMap(({ blob_id }) => blob_id ?? []),
  );
}

const selectForUpdate = prepared((db, param: Param<{ id: string }>) =>
  selectMultiparts(db).where("id", "=", param("id")).forUpdate(),
);

const deleteParts = prepared((db, param: Param<{ uploadId: string }>) =>
  db.deleteFrom("multipart_parts").where("upload_id", "=", param("uploadId")).returning("blob_id"),
);

const deleteUpload = prepared((db, param: Param<{ id: string }>) =>
  db.deleteFrom("multipart_uploads").where("id", "=", param("id")),
);
