import type { MultipartRecord, PartRecord } from "../../semantics/s3/multipart.ts";
import { MIN_PART_SIZE, placeOfPart } from "../../semantics/s3/multipart.ts";
import { condemnBlobs } from "../blobs/condemn-blobs.ts";
import { requireLeases } from "../blobs/require-leases.ts";
import { type Param, prepared } from "../engine/prepared-statement.ts";
import type { Tx } from "../engine/tx.ts";
import type { ClaimedPart, NewPart, PartPlace } from "../port/multiparts.ts";
import { toMultipart, toPart } from "../records/select-multiparts.ts";
import type { MultipartPartsTable } from "../tables/multiparts.ts";
import { lockUnfinished, noSuchMultipart } from "./multipart-uploads.ts";

export async function claimPart(
  tx: Tx,
  { uploadId, number, size, claim }: ClaimedPart,
): Promise<PartPlace | undefined> {
  const upload = await lockUnfinished(tx, uploadId);
  if (upload.blob_id === null || upload.state !== "open" || size === 0) return undefined;
  // A small part that comes first is the last one, and does not tell the size of the others.
  if (upload.part_size === null && size < MIN_PART_SIZE && number > 1) return undefined;
  const partSize = upload.part_size ?? size;
  if (size > partSize) return undefined;
  const taken = await tx.all(selectPlace, { uploadId, number });
  if (taken.some(({ state, blob_id }) => state === "writing" || blob_id === null)) return undefined;
  if (upload.part_size === null) await tx.all(setPartSize, { id: uploadId, partSize });
  await tx.all(insertPart, {
    upload_id: uploadId,
    number,
    state: "writing",
    size,
    md5: "",
    checksum: 0,
    s3_checksums: null,
    blob_id: null,
    modified_at: tx.now,
    claim,
  });
  return { blobId: upload.blob_id, offset: placeOfPart(number, partSize) };
}

export async function releasePart(
  tx: Tx,
  { uploadId, claim }: { readonly uploadId: string; readonly claim: string },
): Promise<void> {
  await tx.all(deleteClaim, { uploadId, claim });
}

export async function storePart(
  tx: Tx,
  { uploadId, number, claim, content, owner, isPrivate = false }: NewPart,
): Promise<PartRecord> {
  const upload = await lockUnfinished(tx, uploadId);
  if (claim !== undefined) {
    const claimed = await tx.all(deleteClaim, { uploadId, claim });
    // The upload was removed, and perhaps another one has its id.
    if (claimed.length === 0) throw noSuchMultipart();
  }
  if (content.blobId !== null) await requireLeases(tx, owner, [content.blobId]);
  const [old] = await tx.all(deleteStored, { uploadId, number });
  if (old !== undefined && old.blob_id !== null) await condemnBlobs(tx, [old.blob_id]);
  const row: MultipartPartsTable = {
    upload_id: uploadId,
    number,
    state: "stored",
    size: content.size,
    md5: content.md5,
    checksum: content.checksum,
    s3_checksums: JSON.stringify(content.checksums),
    blob_id: content.blobId,
    modified_at: tx.now,
    claim: claim ?? "",
  };
  await tx.all(insertPart, row);
  if (isPrivate) await makePrivate(tx, toMultipart(upload));
  return toPart(row);
}

async function makePrivate(tx: Tx, { id, attributes }: MultipartRecord): Promise<void> {
  if (attributes.visibility !== null) return;
  await tx.db
    .updateTable("multipart_uploads")
    .set({ attributes: JSON.stringify({ ...attributes, visibility: "private" }) })
    .where("id", "=", id)
    .execute();
}

const selectPlace = prepared((db, param: Param<{ uploadId: string; number: number }>) =>
  db
    .selectFrom("multipart_parts")
    .select(["state", "blob_id"])
    .where("upload_id", "=", param("uploadId"))
    .where("number", "=", param("number")),
);

const setPartSize = prepared((db, param: Param<{ id: string; partSize: number }>) =>
  db
    .updateTable("multipart_uploads")
    .set({ part_size: param("partSize") })
    .where("id", "=", param("id")),
);

const insertPart = prepared((db, param: Param<MultipartPartsTable>) =>
  db.insertInto("multipart_parts").values({
    upload_id: param("upload_id"),
    number: param("number"),
    state: param("state"),
    size: param("size"),
    md5: param("md5"),
    checksum: param("checksum"),
    s3_checksums: param("s3_checksums"),
    blob_id: param("blob_id"),
    modified_at: param("modified_at"),
    claim: param("claim"),
  }),
);

const deleteClaim = prepared((db, param: Param<{ uploadId: string; claim: string }>) =>
  db
    .deleteFrom("multipart_parts")
    .where("upload_id", "=", param("uploadId"))
    .where("claim", "=", param("claim"))
    .where("state", "=", "writing")
    .returning("number"),
);

const deleteStored = prepared((db, param: Param<{ uploadId: string; number: number }>) =>
  db
    .deleteFrom("multipart_parts")
    .where("upload_id", "=", param("uploadId"))
    .where("number", "=", param("number"))
    .where("state", "=", "stored")
    .returning("blob_id"),
);
