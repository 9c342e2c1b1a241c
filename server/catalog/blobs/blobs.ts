import type { ExpressionBuilder, SqlBool } from "kysely";
import { sql } from "kysely";
import type { BlobId } from "../../domain/records.ts";
import { chunks } from "../engine/chunks.ts";
import type { Engine } from "../engine/engine.ts";
import type { Schema } from "../engine/schema.ts";
import { isUnfinished } from "../records/select-multiparts.ts";
import { isOpen } from "../records/select-uploads.ts";
import { createBlobsAfter } from "./blobs-after.ts";
import { selectKnownBlobs } from "./known-blobs.ts";
import { createRecordOfBlob } from "./record-of-blob.ts";
import { storedTotals } from "./totals.ts";
import { selectUsedBlobs } from "./used-blobs.ts";

export function createBlobQueries({ db }: Pick<Engine, "db">) {
  return {
    async knownBlobs(block: number): Promise<BlobId[]> {
      const rows = await selectKnownBlobs(db, block).execute();
      return rows.map(({ blob_id }) => blob_id);
    },
    async condemnedBlobs(limit: number): Promise<BlobId[]> {
      const rows = await db
        .selectFrom("condemned")
        .select("blob_id")
        // A damaged row may name the blob of another record.
        .where(isUnused)
        .orderBy("condemned_at")
        .orderBy("blob_id")
        .limit(limit)
        .execute();
      return rows.map(({ blob_id }) => blob_id);
    },
    async blobsInUse(ids: readonly BlobId[]): Promise<BlobId[]> {
      const used: BlobId[] = [];
      for (const chunk of chunks(ids)) {
        const rows = await selectUsedBlobs(db, chunk).execute();
        used.push(...rows.map(({ blob_id }) => blob_id));
      }
      return used;
    },
    blobsAfter: createBlobsAfter(db),
    recordOfBlob: createRecordOfBlob(db),
    storedTotals: () => storedTotals(db),
  };
}

function isUnused({ and, not, exists, selectFrom }: ExpressionBuilder<Schema, "condemned">) {
  const ofRow = (column: string) => sql<SqlBool>`${sql.ref(column)} = condemned.blob_id`;
  const used = [
    selectFrom("files").select("files.id as id").where(ofRow("files.blob_id")),
    selectFrom("versions").select("versions.id").where(ofRow("versions.blob_id")),
    selectFrom("batch_members")
      .select("batch_members.batch_id as id")
      .where(ofRow("batch_members.blob_id")),
    selectFrom("uploads").select("uploads.id").where(isOpen).where(ofRow("uploads.blob_id")),
    selectFrom("uploads").select("uploads.id").where(ofRow("uploads.tail_blob_id")),
    selectFrom("multipart_uploads")
      .select("multipart_uploads.id")
      .where(isUnfinished)
      .where(ofRow("multipart_uploads.blob_id")),
    selectFrom("multipart_parts")
      .select("multipart_parts.upload_id as id")
      .where(ofRow("multipart_parts.blob_id")),
  ];
  return and(used.map((query) => not(exists(query))));
}
