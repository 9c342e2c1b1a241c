import type { Migration } from "../migration.ts";

/** Which files were public before a policy of their bucket made all in a folder public: they stay so after it. */
export const keptPublic: Migration = async (db, { integer }) => {
  await db.schema.alterTable("files").addColumn("kept_public", integer).execute();
};
