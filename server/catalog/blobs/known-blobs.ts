import type { Kysely } from "kysely";
import { BLOCK_SIZE, blobId } from "../../domain/blob-id.ts";
import type { BlobId } from "../../domain/records.ts";
import type { Schema } from "../engine/schema.ts";
import { isUnfinished } from "../records/select-multiparts.ts";
import { isOpen } from "../records/select-uploads.ts";

/**
 * The blobs of a block that are condemned, or that a file, a version, an open upload, a member of a batch or an
 * unfinished multipart upload refers to, as of one moment.
 */
export function selectKnownBlobs(db: Kysely<Schema>, block: number) {
  const first = blobId(block, 0);
  const last = blobId(block, BLOCK_SIZE - 1);
  const inBlock = (table: "files" | "versions" | "condemned" | "batch_members") =>
    db
      .selectFrom(table)
      .select("blob_id")
      .where("blob_id", ">=", first)
      .where("blob_id", "<=", last);
  return inBlock("files")
    .unionAll(inBlock("versions"))
    .unionAll(inBlock("condemned"))
    .unionAll(inBlock("batch_members"))
    .unionAll(
      db
        .selectFrom("uploads")
        .select("blob_id")
        .where(isOpen)
        .where("blob_id", ">=", first)
        .where("blob_id", "<=", last),
    )
    .unionAll(
      db
        .selectFrom("uploads")
        .select("tail_blob_id as blob_id")
        .where("tail_blob_id", ">=", first)
        .where("tail_blob_id", "<=", last)
        .$narrowType<{ blob_id: BlobId }>(),
    )
    .unionAll(
      db
        .selectFrom("multipart_uploads")
        .select("blob_id")
        .where(isUnfinished)
        .where("blob_id", ">=", first)
        .where("blob_id", "<=", last)
        .$narrowType<{ blob_id: BlobId }>(),
    )
    .unionAll(
      db
        .selectFrom("multipart_parts")
        .select("blob_id")
        .where("blob_id", ">=", first)
        .where("blob_id", "<=", last)
        .$narrowType<{ blob_id: BlobId }>(),
    );
}
