import type { Migration } from "../migration.ts";

/** What a restore must know about folders that are gone: their last names, and what was made for them. */
export const trashFolders: Migration = async (db, { text, integer, tableEnd }) => {
  await db.schema
    .createTable("trash_folders")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("stand_in_id", text)
    .addColumn("expires_at", integer, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
};
