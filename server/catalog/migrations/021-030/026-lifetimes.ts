import { sql } from "kysely";
import type { Migration } from "../migration.ts";

/** When files end, and what is set for files that come later: see `Lifetime`. */
export const lifetimes: Migration = async (db, { text, integer }) => {
  await db.schema.alterTable("files").addColumn("expires_at", integer).execute();
  // Only files that end are in it, so it costs the others nothing.
  await db.schema
    .createIndex("files_expires_at")
    .on("files")
    .columns(["expires_at", "id"])
    .where(sql.ref("expires_at"), "is not", null)
    .execute();
  await db.schema.alterTable("folders").addColumn("expire_after", integer).execute();
  await db.schema.alterTable("folders").addColumn("inherited_expire_after", integer).execute();
  for (const table of ["uploads", "batches", "batch_members", "links"] as const) {
    await db.schema.alterTable(table).addColumn("lifetime", text).execute();
  }
  await db.schema.alterTable("links").addColumn("delete_at_end", integer).execute();
};
