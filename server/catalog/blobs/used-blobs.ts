import type { Kysely } from "kysely";
import type { BlobId } from "../../domain/records.ts";
import type { Schema } from "../engine/schema.ts";
import { isUnfinished } from "../records/select-multiparts.ts";
import { isOpen } from "../records/select-uploads.ts";

/**
 * Those of the blobs that a file, a version, an open upload, a member of a batch or an unfinished multipart upload
 * refers to.
 */
export function selectUsedBlobs(db: Kysely<Schema>, ids: readonly BlobId[]) {
  const among = (table: "files" | "versions" | "batch_members") =>
    db.selectFrom(table).select("blob_id").where("blob_id", "in", ids);
  return among("files")
    .unionAll(among("versions"))
    .unionAll(among("batch_members"))
    .unionAll(db.selectFrom("uploads").select("blob_id").where(isOpen).where("blob_id", "in", ids))
    .unionAll(
      db
        .selectFrom("uploads")
        .select("tail_blob_id as blob_id")
        .where("tail_blob_id", "in", ids)
        .$narrowType<{ blob_id: BlobId }>(),
    )
    .unionAll(
      db
        .selectFrom("multipart_uploads")
        .select("blob_id")
        .where(isUnfinished)
        .where("blob_id", "in", ids)
        .$narrowType<{ blob_id: BlobId }>(),
    )
    .unionAll(
      db
        .selectFrom("multipart_parts")
        .select("blob_id")
        .where("blob_id", "in", ids)
        .$narrowType<{ blob_id: BlobId }>(),
    );
}
