import { sql } from "kysely";
import type { Migration } from "../migration.ts";

/** The visibility of new files in a folder whose upload sets none. */
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
