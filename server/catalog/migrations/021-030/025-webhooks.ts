import type { Migration } from "../migration.ts";

/** Webhooks, their last deliveries with the events that wait, and the uploads that the server fills from URLs. */
export const webhooks: Migration = async (db, { text, integer, tableEnd }) => {
  await db.schema
    .createTable("webhooks")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("url", text, (column) => column.notNull())
    .addColumn("secret_sealed", text, (column) => column.notNull())
    .addColumn("old_secret_sealed", text)
    .addColumn("old_secret_ends_at", integer)
    .addColumn("kinds", text, (column) => column.notNull())
    .addColumn("folder_id", text)
    .addColumn("maker_kind", text, (column) => column.notNull())
    .addColumn("maker_id", text)
    .addColumn("maker_name", text)
    .addColumn("cursor_seq", integer, (column) => column.notNull())
    .addColumn("cursor_check", text, (column) => column.notNull())
    .addColumn("places", text, (column) => column.notNull())
    .addColumn("state", text, (column) => column.notNull())
    .addColumn("reason", text)
    .addColumn("version", integer, (column) => column.notNull())
    .addColumn("tries", integer, (column) => column.notNull())
    .addColumn("failing_since", integer)
    .addColumn("next_at", integer)
    .addColumn("lease_owner", text)
    .addColumn("lease_until", integer, (column) => column.notNull())
    .addColumn("created_at", integer, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createTable("deliveries")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("webhook_id", text, (column) => column.notNull())
    .addColumn("event_id", text, (column) => column.notNull())
    .addColumn("kind", text, (column) => column.notNull())
    .addColumn("key", text)
    .addColumn("state", text, (column) => column.notNull())
    .addColumn("tries", integer, (column) => column.notNull())
    .addColumn("status", integer)
    .addColumn("ms", integer)
    .addColumn("error", text)
    .addColumn("response", text)
    .addColumn("data", text)
    .addColumn("at", integer, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createIndex("deliveries_webhook_id_id_walk")
    .on("deliveries")
    .columns(["webhook_id", "id"])
    .execute();
  await db.schema
    .createIndex("deliveries_event")
    .on("deliveries")
    .columns(["webhook_id", "event_id"])
    .unique()
    .execute();
  await db.schema
    .createTable("fetches")
    .addColumn("upload_id", text, (column) => column.notNull().primaryKey())
    .addColumn("state", text, (column) => column.notNull())
    .addColumn("error", text)
    .addColumn("at", integer, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
};
