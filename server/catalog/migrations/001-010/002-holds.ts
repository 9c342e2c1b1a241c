import type { Migration } from "../migration.ts";

export const holds: Migration = async (db, { text, integer, tableEnd }) => {
  await db.schema
    .createTable("holds")
    .addColumn("owner", text, (column) => column.notNull().primaryKey())
    .addColumn("heartbeat", integer, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
};
