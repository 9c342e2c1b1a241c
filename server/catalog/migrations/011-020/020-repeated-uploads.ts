import { sql } from "kysely";
import type { Migration } from "../migration.ts";

/** Finds the finished upload that a creation repeats. */
export const repeatedUploads: Migration = async (db) => {
  await db.schema
    .createIndex("uploads_path_hash")
    .on("uploads")
    .columns(["path_hash"])
    .where(sql.ref("batch_id"), "is", null)
    .execute();
};
