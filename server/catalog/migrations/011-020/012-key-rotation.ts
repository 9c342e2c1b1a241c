import type { Migration } from "../migration.ts";

/** The secret that an API key had before its current one, and how often it was replaced. */
export const keyRotation: Migration = async (db, { text, integer }) => {
  await db.schema
    .alterTable("api_keys")
    .addColumn("secret_version", integer, (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable("api_keys").addColumn("old_hash", text).execute();
  await db.schema.alterTable("api_keys").addColumn("old_hash_ends_at", integer).execute();
  await db.schema.createIndex("api_keys_old_hash").on("api_keys").columns(["old_hash"]).execute();
};
