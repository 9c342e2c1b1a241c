import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { Schema } from "../../engine/schema.ts";
import type { ColumnTypes, Migration } from "../migration.ts";

/** What the S3 API keeps of contents and folders, and its multipart uploads. */
export const s3: Migration = async (db, types) => {
  const { text, integer } = types;
  await db.schema.alterTable("files").addColumn("s3", text).execute();
  await db.schema
    .alterTable("folders")
    .addColumn("implicit", integer, (column) => column.notNull().defaultTo(0))
    .execute();
  // Lists of objects follow the bytes of whole keys, in which the name of a folder ends with a slash.
  await db.schema
    .createIndex("folders_parent_id_object_walk")
    .on("folders")
    .expression(sql`parent_id, (name || '/')`)
    .execute();
  await createMultipartTables(db, types);
};

async function createMultipartTables(
  db: Kysely<Schema>,
  { text, integer, tableEnd }: ColumnTypes,
): Promise<void> {
  await db.schema
    .createTable("multipart_uploads")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("bucket", text, (column) => column.notNull())
    .addColumn("key", text, (column) => column.notNull())
    .addColumn("maker_kind", text, (column) => column.notNull())
    .addColumn("maker_id", text)
    .addColumn("maker_name", text)
    .addColumn("attributes", text, (column) => column.notNull())
    .addColumn("blob_id", integer)
    .addColumn("part_size", integer)
    .addColumn("state", text, (column) => column.notNull())
    .addColumn("file_id", text)
    .addColumn("etag", text)
    .addColumn("created_at", integer, (column) => column.notNull())
    .addColumn("expires_at", integer, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createIndex("multipart_uploads_expires_at")
    .on("multipart_uploads")
    .columns(["expires_at", "id"])
    .execute();
  await db.schema
    .createIndex("multipart_uploads_bucket")
    .on("multipart_uploads")
    .columns(["bucket", "id"])
    .execute();
  // The blob of a finished upload is that of a file, or condemned.
  await db.schema
    .createIndex("multipart_uploads_blob_id")
    .unique()
    .on("multipart_uploads")
    .columns(["blob_id"])
    .where(sql.ref("state"), "<>", sql`'finished'`)
    .execute();
  await db.schema
    .createTable("multipart_parts")
    .addColumn("upload_id", text, (column) => column.notNull().references("multipart_uploads.id"))
    .addColumn("number", integer, (column) => column.notNull())
    .addColumn("state", text, (column) => column.notNull())
    .addColumn("size", integer, (column) => column.notNull())
    .addColumn("md5", text, (column) => column.notNull())
    .addColumn("checksum", integer, (column) => column.notNull())
    .addColumn("s3_checksums", text)
    .addColumn("blob_id", integer, (column) => column.unique())
    .addColumn("modified_at", integer, (column) => column.notNull())
    .addColumn("claim", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("multipart_parts_pkey", ["upload_id", "number", "state"])
    .modifyEnd(tableEnd)
    .execute();
}
