import type { Migration } from "../migration.ts";

/** Entries about one file or folder are a walk along this index. */
export const activitySubjects: Migration = async (db) => {
  await db.schema
    .createIndex("activity_subject_id_id_walk")
    .on("activity")
    .columns(["subject_id", "id"])
    .execute();
};
