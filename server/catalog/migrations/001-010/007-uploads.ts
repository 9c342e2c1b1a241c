import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { Schema } from "../../engine/schema.ts";
import type { ColumnTypes, Migration } from "../migration.ts";

/** Resumable uploads, and batches of files that appear together. */
export const uploads: Migration = async (db, types) => {
  await createBatches(db, types);
  await createUploads(db, types);
};

async function createBatches(
  db: Kysely<Schema>,
  { text, integer, tableEnd }: ColumnTypes,
): Promise<void> {
  await db.schema
    .createTable("batches")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("secret_hash", text, (column) => column.notNull())
    .addColumn("maker_kind", text, (column) => column.notNull())
    .addColumn("maker_id", text)
    .addColumn("maker_name", text)
    .addColumn("folder_ids", text, (column) => column.notNull())
    .addColumn("folder", text, (column) => column.notNull())
    .addColumn("visibility", text)
    .addColumn("on_conflict", text, (column) => column.notNull())
    .addColumn("state", text, (column) => column.notNull())
    .addColumn("files", integer, (column) => column.notNull())
    .addColumn("bytes", integer, (column) => column.notNull())
    .addColumn("added", integer)
    .addColumn("replaced", integer)
    .addColumn("skipped", integer)
    .addColumn("committed_at", integer)
    .addColumn("created_at", integer, (column) => column.notNull())
    .addColumn("expires_at", integer, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createIndex("batches_expires_at")
    .on("batches")
    .columns(["expires_at", "id"])
    .execute();
  await db.schema
    .createIndex("batches_maker_open")
    .on("batches")
    .columns(["maker_kind", "maker_id"])
    .where(sql.ref("state"), "=", sql`'open'`)
    .execute();

  await db.schema
    .createTable("batch_members")
    .addColumn("batch_id", text, (column) => column.notNull().references("batches.id"))
    .addColumn("number", integer, (column) => column.notNull())
    .addColumn("path_hash", text, (column) => column.notNull())
    .addColumn("folder", text, (column) => column.notNull())
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("mime_type", text, (column) => column.notNull())
    .addColumn("size", integer, (column) => column.notNull())
    .addColumn("visibility", text)
    .addColumn("blob_id", integer, (column) => column.notNull().unique())
    .addColumn("checksum", integer, (column) => column.notNull())
    .addColumn("sha256", text)
    .addColumn("meta", text)
    .addPrimaryKeyConstraint("batch_members_pkey", ["batch_id", "number"])
    .addUniqueConstraint("batch_members_path", ["batch_id", "path_hash"])
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createTable("batch_folders")
    .addColumn("batch_id", text, (column) => column.notNull().references("batches.id"))
    .addColumn("path_hash", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("batch_folders_pkey", ["batch_id", "path_hash"])
    .modifyEnd(tableEnd)
    .execute();
}

async function createUploads(
  db: Kysely<Schema>,
  { text, integer, tableEnd }: ColumnTypes,
): Promise<void> {
  await db.schema
    .createTable("uploads")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("secret_hash", text, (column) => column.notNull())
    .addColumn("maker_kind", text, (column) => column.notNull())
    .addColumn("maker_id", text)
    .addColumn("maker_name", text)
    .addColumn("folder_ids", text, (column) => column.notNull())
    .addColumn("batch_id", text, (column) => column.references("batches.id"))
    .addColumn("path_hash", text)
    .addColumn("folder", text, (column) => column.notNull())
    .addColumn("name", text)
    .addColumn("content_type", text)
    .addColumn("visibility", text)
    .addColumn("meta", text)
    .addColumn("tus_metadata", text)
    .addColumn("on_conflict", text, (column) => column.notNull())
    .addColumn("expected_sha256", text)
    .addColumn("length", integer)
    .addColumn("max_size", integer, (column) => column.notNull())
    .addColumn("types", text, (column) => column.notNull())
    .addColumn("offset", integer, (column) => column.notNull())
    .addColumn("checksum", integer, (column) => column.notNull())
    .addColumn("blob_id", integer, (column) => column.notNull())
    .addColumn("growth", text)
    .addColumn("tail_blob_id", integer)
    .addColumn("tail_size", integer, (column) => column.notNull())
    .addColumn("state", text, (column) => column.notNull())
    .addColumn("file_id", text)
    .addColumn("epoch", integer, (column) => column.notNull())
    .addColumn("writer", text)
    .addColumn("heartbeat", integer, (column) => column.notNull())
    .addColumn("must_stop", integer, (column) => column.notNull())
    .addColumn("created_at", integer, (column) => column.notNull())
    .addColumn("expires_at", integer, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createIndex("uploads_expires_at")
    .on("uploads")
    .columns(["expires_at", "id"])
    .execute();
  await db.schema
    .createIndex("uploads_batch_id")
    .on("uploads")
    .columns(["batch_id", "state", "path_hash"])
    .where(sql.ref("batch_id"), "is not", null)
    .execute();
  await db.schema
    .createIndex("uploads_writer")
    .on("uploads")
    .columns(["writer"])
    .where(sql.ref("writer"), "is not", null)
    .execute();
  // The blob of a finished upload is that of a file, or condemned.
  await db.schema
    .createIndex("uploads_blob_id")
    .unique()
    .on("uploads")
    .columns(["blob_id"])
    .where(sql.ref("state"), "=", sql`'open'`)
    .execute();
  await db.schema
    .createIndex("uploads_tail_blob_id")
    .on("uploads")
    .columns(["tail_blob_id"])
    .where(sql.ref("tail_blob_id"), "is not", null)
    .execute();
  // Everything that the limits count, so that they are counted in the index.
  await db.schema
    .createIndex("uploads_maker_open")
    .on("uploads")
    .columns(["maker_kind", "maker_id", "length", "offset"])
    .where(sql.ref("state"), "=", sql`'open'`)
    .execute();
}
