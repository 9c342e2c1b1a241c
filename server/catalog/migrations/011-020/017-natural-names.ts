import type { Kysely } from "kysely";
import { naturalName } from "../../../../contract/text/natural-name.ts";
import type { Schema } from "../../engine/schema.ts";
import type { Migration } from "../migration.ts";

/** The sort keys of the names of files, and indexes for listing files by them. */
export const naturalNames: Migration = async (db, { addFilledColumn }) => {
  await addFilledColumn(db, "files", "natural_name", keysOfFiles(db));
  const walks = [
    ["natural_name", "id"],
    ["folder_id", "natural_name", "id"],
  ] as const;
  for (const columns of walks) {
    await db.schema
      .createIndex(`files_${columns.join("_")}_walk`)
      .on("files")
      .columns([...columns])
      .execute();
  }
};

const BATCH = 1000;

/** The ids of all files, each with the sort key of its name. */
async function* keysOfFiles(db: Kysely<Schema>): AsyncGenerator<(readonly [string, string])[]> {
  for (let after = ""; ; ) {
    const files = await db
      .selectFrom("files")
      .select(["id", "name"])
      .where("id", ">", after)
      .orderBy("id")
      .limit(BATCH)
      .execute();
    const last = files.at(-1);
    if (last === undefined) return;
    yield files.map(({ id, name }) => [id, naturalName(name)] as const);
    after = last.id;
  }
}
