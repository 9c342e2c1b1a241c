import type { Migration } from "../migration.ts";

/**
 * Error responses by hour and status, and the files with the most requests by day. The ids begin with
 * the hour or the day.
 */
export const trafficDetails: Migration = async (db, { text, integer, tableEnd }) => {
  await db.schema
    .createTable("traffic_errors")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("hour", integer, (column) => column.notNull())
    .addColumn("status", integer, (column) => column.notNull())
    .addColumn("requests", integer, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createTable("file_traffic")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("file_id", text, (column) => column.notNull())
    .addColumn("requests", integer, (column) => column.notNull())
    .addColumn("bytes", integer, (column) => column.notNull())
    .addColumn("weight", integer, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
};
