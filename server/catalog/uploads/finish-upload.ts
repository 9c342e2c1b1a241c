import { Fault } from "../../domain/faults/fault.ts";
import { childKey } from "../../domain/names/name.ts";
import type { FileRecord, Name } from "../../domain/records.ts";
import { condemnBlobs } from "../blobs/condemn-blobs.ts";
import { type Param, prepared } from "../engine/prepared-statement.ts";
import { RetryTransaction, type Tx } from "../engine/tx.ts";
import { recordChanges } from "../feed/record-changes.ts";
import { ensureFolder } from "../folders/folder-path.ts";
import { lockFilesInPlace } from "../folders/lock-files-in-place.ts";
import { pathHash } from "../path-hash.ts";
import type { FinishedUpload, UploadFinish } from "../port/uploads.ts";
import { selectFiles } from "../records/select-records.ts";
import { makerOf } from "../records/select-uploads.ts";
import type { UploadsTable } from "../tables/uploads.ts";
import { visibilityIn } from "../tree/folder-defaults.ts";
import { changesOf, storeFiles } from "../tree/store-files.ts";
import { addMembers, lockOpenBatch } from "./batch-members.ts";
import { extendBatch } from "./batches.ts";
import { repeatedUpload } from "./repeated-upload.ts";
import { isWriter, lockUpload, noSuchUpload } from "./upload-writers.ts";

export async function finishUpload(tx: Tx, input: UploadFinish): Promise<FinishedUpload> {
  const row = await lockUpload(tx, input.id);
  if (row === undefined) throw noSuchUpload();
  if (row.state === "finished" && row.epoch === input.epoch) return finishedBefore(tx, row, input);
  if (!isWriter(row, input.epoch)) {
    throw new Fault("unavailable", "Another request has continued this upload.", { retryAfter: 1 });
  }
  const { file } = input;
  if (file.blobId !== row.blob_id) throw new Error("An upload was finished with another blob.");
  const stored =
    row.batch_id === null
      ? ((await repeatedFile(tx, row, input)) ?? (await storeFile(tx, row, input)))
      : undefined;
  const keepsBlob =
    row.batch_id === null
      ? stored?.blobId === row.blob_id
      : await seal(tx, row, row.batch_id, input);
  if (row.tail_blob_id !== null) await condemnBlobs(tx, [row.tail_blob_id]);
  await tx.all(setFinished, {
    id: row.id,
    name: file.name,
    size: file.size,
    checksum: file.checksum,
    file_id: stored?.id ?? null,
    blob_id: stored?.blobId ?? row.blob_id,
    path_hash: pathHash(childKey(row.folder, file.name)),
    expires_at: input.answerUntil,
  });
  return { file: stored, keepsBlob };
}

/** The file of the creation that this one repeats, whose own blob is then condemned. */
async function repeatedFile(
  tx: Tx,
  row: UploadsTable,
  { file, isWhole = false }: UploadFinish,
): Promise<FileRecord | undefined> {
  if (!isWhole) return undefined;
  const { name, size } = file;
  const creation = { maker: makerOf(row), folder: row.folder, name, size };
  const repeated = await repeatedUpload(tx, creation, tx.now);
  if (repeated === undefined || file.sha256 === null || repeated.sha256 !== file.sha256) {
    return undefined;
  }
  const keys = await lockFilesInPlace(tx, [repeated.id]);
  // Another transaction may have moved the file or its folder, or removed one of them, before both were locked.
  if (keys.get(repeated.id) !== repeated.key) throw new RetryTransaction();
  await condemnBlobs(tx, [file.blobId]);
  return repeated;
}

async function storeFile(
  tx: Tx,
  row: UploadsTable,
  { file, defaultVisibility, keepReplacedMs, replaceLimit }: UploadFinish,
): Promise<FileRecord | undefined> {
  const { folder, created } = await ensureFolder(tx, row.folder);
  const toStore = {
    ...file,
    visibility: row.visibility ?? visibilityIn(folder, defaultVisibility),
    replacedVisibility: row.visibility ?? undefined,
    lifetime: row.lifetime ?? undefined,
    replacedLifetime: row.lifetime ?? undefined,
    metadata: row.meta ?? undefined,
  };
  const destination = { folder, namesAreFree: created.length > 0, files: [toStore] };
  const byMaker = { ...tx, actor: makerOf(row) };
  const stored = await storeFiles(byMaker, [destination], {
    onConflict: row.on_conflict,
    keepReplacedMs,
    replaceLimit,
  });
  const [record] = [...stored.added, ...stored.replaced];
  if (record === undefined) await condemnBlobs(tx, [file.blobId]);
  await recordChanges(byMaker, changesOf(created, stored));
  return record;
}

/** Returns whether the file is new in the batch. Otherwise its blob is condemned. */
async function seal(
  tx: Tx,
  row: UploadsTable,
  batchId: string,
  { file, answerUntil }: UploadFinish,
): Promise<boolean> {
  const batch = await lockOpenBatch(tx, batchId);
  const { folder, visibility, lifetime, meta: metadata } = row;
  const added = await addMembers(tx, batch, [{ ...file, folder, visibility, lifetime, metadata }]);
  await extendBatch(tx, batchId, answerUntil);
  return added > 0;
}

/** Whether a batch has kept the blob is not looked up again: if it has not, the next sweep removes the blob. */
async function finishedBefore(
  tx: Tx,
  { batch_id, file_id: id }: UploadsTable,
  { file: { blobId } }: UploadFinish,
): Promise<FinishedUpload> {
  const file = id === null ? undefined : await tx.first(fileById, { id });
  return { file, keepsBlob: batch_id !== null || file?.blobId === blobId };
}

const fileById = prepared((db, param: Param<{ id: string }>) =>
  selectFiles(db).where("files.id", "=", param("id")),
);

interface Finished
  extends Pick<
    UploadsTable,
    "id" | "checksum" | "file_id" | "blob_id" | "path_hash" | "expires_at"
  > {
  readonly name: Name;
  readonly size: number;
}

const setFinished = prepared((db, param: Param<Finished>) =>
  db
    .updateTable("uploads")
    .set({
      state: "finished",
      name: param("name"),
      length: param("size"),
      offset: param("size"),
      checksum: param("checksum"),
      growth: null,
      tail_blob_id: null,
      tail_size: 0,
      file_id: param("file_id"),
      blob_id: param("blob_id"),
      path_hash: param("path_hash"),
      writer: null,
      expires_at: param("expires_at"),
    })
    .where("id", "=", param("id")),
);
