import type { Migration } from "../migration.ts";

/** Indexes for listing files by media type. */
export const typeOrder: Migration = async (db) => {
  const walks = [
    ["mime_type", "id"],
    ["folder_id", "mime_type", "id"],
  ] as const;
  for (const columns of walks) {
    await db.schema
      .createIndex(`files_${columns.join("_")}_walk`)
      .on("files")
      .columns([...columns])
      .execute();
  }
};
