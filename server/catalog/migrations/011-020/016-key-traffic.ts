import type { Migration } from "../migration.ts";

/** Requests and bytes of each API key by day. The id begins with the day. */
export const keyTraffic: Migration = async (db, { text, integer, tableEnd }) => {
  await db.schema
    .createTable("key_traffic")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("key_id", text, (column) => column.notNull())
    .addColumn("requests", integer, (column) => column.notNull())
    .addColumn("bytes", integer, (column) => column.notNull())
    .addColumn("errors", integer, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
};
