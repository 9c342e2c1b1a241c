import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Scoped API keys, and the digests and metadata of files. */
export const accessAndChanges: Migration = async (db, { text }) => {
  // Until now every key could do everything.
  await db.schema
    .alterTable("api_keys")
    .addColumn("actions", text, (column) => column.notNull().defaultTo("admin"))
    .execute();
  await db.schema
    .alterTable("api_keys")
    .addColumn("folder_ids", text, (column) => column.notNull().defaultTo(""))
    .execute();
  await db.schema.alterTable("api_keys").addColumn("parent_id", text).execute();
  await db.schema.createIndex("api_keys_parent_id").on("api_keys").columns(["parent_id"]).execute();

  await db.schema.alterTable("files").addColumn("sha256", text).execute();
  await db.schema.alterTable("files").addColumn("meta", text).execute();
  // Files from before have no digest yet.
  await db.schema
    .createIndex("files_sha256_id_walk")
    .on("files")
    .columns(["sha256", "id"])
    .where(sql.ref("sha256"), "is not", null)
    .execute();
};
