import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { Schema } from "../../engine/schema.ts";
import type { ColumnTypes, Migration } from "../migration.ts";

/** The trash, versions of files, and share links. */
export const undoAndSharing: Migration = async (db, types) => {
  await createTrash(db, types);
  await createVersions(db, types);
  await createLinks(db, types);
  // A restored folder has another key than before.
  await db.schema.dropIndex("changes_folders").execute();
  await db.schema
    .createIndex("changes_folders")
    .on("changes")
    .columns(["seq"])
    .where(sql.ref("kind"), "in", sql`('folder.created', 'folder.moved', 'folder.restored')`)
    .execute();
};

async function createTrash(
  db: Kysely<Schema>,
  { text, integer, tableEnd }: ColumnTypes,
): Promise<void> {
  await db.schema
    .createTable("trash_deletions")
    .addColumn("undo_id", text, (column) => column.notNull().primaryKey())
    .addColumn("deleted_at", integer, (column) => column.notNull())
    .addColumn("expires_at", integer, (column) => column.notNull())
    .addColumn("actor", text, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createIndex("trash_deletions_expires_at")
    .on("trash_deletions")
    .columns(["expires_at", "undo_id"])
    .execute();
  await db.schema
    .createTable("trash_items")
    .addColumn("subject_id", text, (column) => column.notNull().primaryKey())
    .addColumn("undo_id", text, (column) => column.notNull().references("trash_deletions.undo_id"))
    .addColumn("kind", text, (column) => column.notNull())
    .addColumn("key", text, (column) => column.notNull())
    .addColumn("parent_ids", text, (column) => column.notNull())
    .addColumn("files", integer)
    .addColumn("bytes", integer)
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createIndex("trash_items_undo_id_walk")
    .on("trash_items")
    .columns(["undo_id", "subject_id"])
    .execute();
}

async function createVersions(
  db: Kysely<Schema>,
  { text, integer, tableEnd }: ColumnTypes,
): Promise<void> {
  await db.schema
    .createTable("versions")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("file_id", text, (column) => column.notNull())
    .addColumn("blob_id", integer, (column) => column.notNull().unique())
    .addColumn("size", integer, (column) => column.notNull())
    .addColumn("mime_type", text, (column) => column.notNull())
    .addColumn("checksum", integer, (column) => column.notNull())
    .addColumn("sha256", text)
    .addColumn("meta", text)
    .addColumn("s3", text)
    .addColumn("modified_at", integer, (column) => column.notNull())
    .addColumn("replaced_at", integer, (column) => column.notNull())
    .addColumn("expires_at", integer, (column) => column.notNull())
    .addColumn("actor", text, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createIndex("versions_file_id_walk")
    .on("versions")
    .columns(["file_id", "id"])
    .execute();
  await db.schema
    .createIndex("versions_expires_at")
    .on("versions")
    .columns(["expires_at", "id"])
    .execute();
}

async function createLinks(
  db: Kysely<Schema>,
  { text, integer, tableEnd }: ColumnTypes,
): Promise<void> {
  await db.schema
    .createTable("links")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("token_hash", text, (column) => column.notNull().unique())
    .addColumn("kind", text, (column) => column.notNull())
    .addColumn("subject_kind", text, (column) => column.notNull())
    .addColumn("subject_id", text, (column) => column.notNull())
    .addColumn("maker_kind", text, (column) => column.notNull())
    .addColumn("maker_id", text)
    .addColumn("maker_name", text)
    .addColumn("title", text)
    .addColumn("password_hash", text)
    .addColumn("password_version", integer, (column) => column.notNull())
    .addColumn("expires_at", integer)
    .addColumn("uses_left", integer)
    .addColumn("visits", integer, (column) => column.notNull())
    .addColumn("download_only", integer, (column) => column.notNull())
    .addColumn("max_bytes", integer)
    .addColumn("max_files", integer)
    .addColumn("created_at", integer, (column) => column.notNull())
    .addColumn("revoked_at", integer)
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createIndex("links_subject_id_walk")
    .on("links")
    .columns(["subject_id", "id"])
    .execute();
}
