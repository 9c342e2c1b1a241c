import { Fault } from "../../domain/faults/fault.ts";
import { ROOT_KEY, splitKey } from "../../domain/names/name.ts";
import type { BlobId, FileRecord } from "../../domain/records.ts";
import type { MultipartRecord, PartRecord } from "../../semantics/s3/multipart.ts";
import { condemnBlobs } from "../blobs/condemn-blobs.ts";
import { requireLeases } from "../blobs/require-leases.ts";
import { type Param, prepared } from "../engine/prepared-statement.ts";
import type { Tx } from "../engine/tx.ts";
import type { ChosenParts, MultipartCompletion } from "../port/multiparts.ts";
import { toMultipart } from "../records/select-multiparts.ts";
import { selectFiles } from "../records/select-records.ts";
import type { MultipartPartsTable, MultipartUploadsTable } from "../tables/multiparts.ts";
import { lockMultipart, noSuchMultipart, removeParts } from "./multipart-uploads.ts";
import { storeObject } from "./put-object.ts";

export async function beginAssembly(
  tx: Tx,
  { uploadId, parts }: ChosenParts,
): Promise<"in place" | "apart" | MultipartRecord> {
  const upload = await lockMultipart(tx, uploadId);
  if (upload === undefined) throw noSuchMultipart();
  if (upload.state === "finished") return toMultipart(upload);
  await tx.all(setAssembling, { id: uploadId });
  const rows = await tx.all(selectParts, { uploadId });
  return areInPlace(upload, rows, parts) ? "in place" : "apart";
}

/** Whether the chosen parts are one after another in place, and nothing else is or will be there. */
function areInPlace(
  { blob_id, part_size }: MultipartUploadsTable,
  rows: readonly MultipartPartsTable[],
  parts: readonly PartRecord[],
): boolean {
  const inPlace = rows.filter((row) => row.blob_id === null);
  return (
    blob_id !== null &&
    inPlace.length === parts.length &&
    inPlace.every(({ state }) => state === "stored") &&
    parts.every(
      ({ number, size, blobId }, index) =>
        blobId === null &&
        number === index + 1 &&
        (size === part_size || index === parts.length - 1),
    )
  );
}

export async function completeMultipart(tx: Tx, input: MultipartCompletion): Promise<FileRecord> {
  const { uploadId, file, etag, owner, answerUntil } = input;
  const upload = await lockMultipart(tx, uploadId);
  if (upload === undefined) throw noSuchMultipart();
  if (upload.state === "finished") return sameAnswer(tx, upload, etag);
  requireParts(await tx.all(selectParts, { uploadId }), input.parts);
  if (file.blobId !== upload.blob_id) await requireLeases(tx, owner, [file.blobId]);
  const { attributes } = toMultipart(upload);
  const record = await storeObject(tx, {
    folder: splitKey(upload.key)?.folder ?? ROOT_KEY,
    file,
    visibility: attributes.visibility,
    metadata: attributes.metadata,
    expect: input.expect,
    keepReplacedMs: input.keepReplacedMs,
    replaceLimit: input.replaceLimit,
  });
  await removeParts(tx, uploadId);
  if (upload.blob_id !== null && upload.blob_id !== file.blobId) {
    await condemnBlobs(tx, [upload.blob_id]);
  }
  await tx.all(setFinished, { id: uploadId, etag, fileId: record.id, expiresAt: answerUntil });
  return record;
}

/** Fault "not_found": another Complete has finished the upload otherwise, or its object is gone. */
async function sameAnswer(
  tx: Tx,
  { etag, file_id }: MultipartUploadsTable,
  wanted: string,
): Promise<FileRecord> {
  const file = etag === wanted ? await tx.first(fileById, { id: file_id ?? "" }) : undefined;
  if (file === undefined) throw noSuchMultipart();
  return file;
}

/** Fault "gone": one of the chosen parts was replaced. */
function requireParts(rows: readonly MultipartPartsTable[], parts: readonly PartRecord[]): void {
  const stored = new Map<number, { md5: string; blob_id: BlobId | null }>();
  for (const row of rows) if (row.state === "stored") stored.set(row.number, row);
  for (const { number, md5, blobId } of parts) {
    const row = stored.get(number);
    if (row?.md5 !== md5 || row.blob_id !== blobId) {
      throw new Fault("gone", `The part ${number} was replaced meanwhile.`);
    }
  }
}

const selectParts = prepared((db, param: Param<{ uploadId: string }>) =>
  db.selectFrom("multipart_parts").selectAll().where("upload_id", "=", param("uploadId")),
);

const setAssembling = prepared((db, param: Param<{ id: string }>) =>
  db
    .updateTable("multipart_uploads")
    .set({ state: "assembling" })
    .where("id", "=", param("id"))
    .where("state", "=", "open"),
);

const fileById = prepared((db, param: Param<{ id: string }>) =>
  selectFiles(db).where("files.id", "=", param("id")),
);

interface Finished {
  readonly id: string;
  readonly etag: string;
  readonly fileId: string;
  readonly expiresAt: number;
}

const setFinished = prepared((db, param: Param<Finished>) =>
  db
    .updateTable("multipart_uploads")
    .set({
      state: "finished",
      etag: param("etag"),
      file_id: param("fileId"),
      expires_at: param("expiresAt"),
    })
    .where("id", "=", param("id")),
);
