import type { Migration } from "../migration.ts";

/** How much the folders directly below the root may contain, and how much they do. */
export const quotas: Migration = async (db, { text, integer, tableEnd }) => {
  await db.schema
    .createTable("quotas")
    .addColumn("folder_id", text, (column) => column.notNull().primaryKey())
    .addColumn("max_bytes", integer)
    .addColumn("max_files", integer)
    .addColumn("used_bytes", integer, (column) => column.notNull())
    .addColumn("used_files", integer, (column) => column.notNull())
    .addColumn("recounts", integer, (column) => column.notNull())
    .addColumn("counted_at", integer)
    .modifyEnd(tableEnd)
    .execute();
};
