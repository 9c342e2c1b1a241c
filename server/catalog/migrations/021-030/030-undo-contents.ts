import { sql } from "kysely";
import type { Migration } from "../migration.ts";

/** An undo looks up what others did with the contents of the same files. */
export const undoContents: Migration = async (db) => {
  await db.schema
    .createIndex("undo_steps_contents")
    .on("undo_steps")
    .columns(["subject_id", "id"])
    .where(sql.ref("kind"), "in", sql`('content', 'passed')`)
    .execute();
};
