import type { Migration } from "../migration.ts";

/** Stores the state before each change, for undo, and the parents of removed API keys. */
export const undo: Migration = async (db, { text, integer, tableEnd }) => {
  await db.schema
    .createTable("undo_steps")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("at", integer, (column) => column.notNull())
    .addColumn("actor_id", text, (column) => column.notNull())
    .addColumn("kind", text, (column) => column.notNull())
    .addColumn("subject_id", text, (column) => column.notNull())
    .addColumn("data", text, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createIndex("undo_steps_actor_id_id")
    .on("undo_steps")
    .columns(["actor_id", "id"])
    .execute();
  await db.schema
    .createTable("former_keys")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("parent_id", text, (column) => column.notNull())
    .addColumn("ended_at", integer, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
};
