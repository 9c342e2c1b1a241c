import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** The visibility that new files of a folder have if their upload names none. */
export const folderVisibility: Migration = async (db, { text }) => {
  await db.schema.alterTable("folders").addColumn("default_visibility", text).execute();
  await db.schema.alterTable("folders").addColumn("inherited_visibility", text).execute();
  await db.schema
    .createIndex("folders_default_visibility")
    .on("folders")
    .columns(["parent_id"])
    .where(sql.ref("default_visibility"), "is not", null)
    .execute();
};
