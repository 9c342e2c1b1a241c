import { type ExpressionBuilder, type Kysely, type SqlBool, sql } from "kysely";
import type { BlobId, FileRecord, Key } from "../../domain/records.ts";
import { chunks } from "../engine/chunks.ts";
import type { Engine } from "../engine/engine.ts";
import type { Schema } from "../engine/schema.ts";
import { trashedPlace } from "../records/outside-tree.ts";
import { isUnfinished } from "../records/select-multiparts.ts";
import { selectKeptFiles } from "../records/select-records.ts";
import { isOpen } from "../records/select-uploads.ts";
import { selectVersions, toVersion } from "../records/select-versions.ts";
import { createBlobsAfter } from "./blobs-after.ts";
import { selectKnownBlobs } from "./known-blobs.ts";
import { storedTotals } from "./totals.ts";

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

/**
 * Selects, among these ids, the blobs that a file, a version, an open upload, a member of a batch or an
 * unfinished multipart upload refers to.
 */
function selectUsedBlobs(db: Kysely<Schema>, ids: readonly BlobId[]) {
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

function createRecordOfBlob(db: Kysely<Schema>) {
  /** The key of the file, or its key before it came into the trash. */
  async function keyInTree({ id, key }: FileRecord): Promise<Key> {
    const place = trashedPlace(key);
    if (place === undefined) return key;
    const item = (subjectId: string) =>
      db
        .selectFrom("trash_items")
        .select("key")
        .where("subject_id", "=", subjectId)
        .executeTakeFirst();
    const ofFile = await item(id);
    if (ofFile !== undefined) return ofFile.key;
    const ofFolder = await item(place.id);
    return ofFolder === undefined ? key : (`${ofFolder.key}${place.rest}` as Key);
  }

  return async (blobId: BlobId): Promise<FileRecord | undefined> => {
    const file = await selectKeptFiles(db).where("files.blob_id", "=", blobId).executeTakeFirst();
    if (file !== undefined) return { ...file, key: await keyInTree(file) };
    const row = await selectVersions(db).where("versions.blob_id", "=", blobId).executeTakeFirst();
    if (row === undefined) return undefined;
    const { fileId, mimeType, size, checksum, sha256, metadata, s3, charset, modifiedAt } =
      toVersion(row);
    const owner = await selectKeptFiles(db).where("files.id", "=", fileId).executeTakeFirst();
    if (owner === undefined) return undefined;
    const content = { blobId, mimeType, size, checksum, sha256, metadata, s3, charset, modifiedAt };
    return { ...owner, ...content, key: await keyInTree(owner) };
  };
}
