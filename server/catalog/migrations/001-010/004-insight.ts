import type { Migration } from "../migration.ts";

/** The audit log and the traffic counters. */
export const insight: Migration = async (db, { text, integer, tableEnd }) => {
  await db.schema
    .createTable("activity")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("at", integer, (column) => column.notNull())
    .addColumn("action", text, (column) => column.notNull())
    .addColumn("outcome", text, (column) => column.notNull())
    .addColumn("status", integer, (column) => column.notNull())
    .addColumn("actor_kind", text, (column) => column.notNull())
    .addColumn("actor_id", text)
    .addColumn("actor_name", text)
    .addColumn("address", text)
    .addColumn("subject_kind", text)
    .addColumn("subject_id", text)
    .addColumn("subject_name", text)
    .addColumn("detail", text, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  // Each filter is a walk along one of these, newest first.
  for (const column of ["action", "actor_id", "outcome"]) {
    await db.schema
      .createIndex(`activity_${column}_id_walk`)
      .on("activity")
      .columns([column, "id"])
      .execute();
  }

  await db.schema
    .createTable("traffic")
    .addColumn("hour", integer, (column) => column.notNull().primaryKey())
    .addColumn("requests", integer, (column) => column.notNull())
    .addColumn("bytes", integer, (column) => column.notNull())
    .addColumn("errors", integer, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
};
