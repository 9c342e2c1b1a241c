import type { Kysely } from "kysely";
import { sql } from "kysely";
import { naturalName } from "../../rules/natural-name.ts";
import type { Schema } from "../schema.ts";
import type { ColumnTypes, Migration } from "./migration.ts";

/** The sort keys of the names of files, and indexes for listing files by them. */
export const naturalNames: Migration = async (db, { text, dropDefault, pairsOf }) => {
  await db.schema
    .alterTable("files")
    .addColumn("natural_name", text, (column) => column.notNull().defaultTo(""))
    .execute();
  await fill(db, pairsOf);
  await dropDefault(db, "files", "natural_name");
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

async function fill(db: Kysely<Schema>, pairsOf: ColumnTypes["pairsOf"]): Promise<void> {
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
    const keys = files.map(({ id, name }) => [id, naturalName(name)] as const);
    // One parameter: with two for each file, the statement takes ten times as long.
    await sql`update files set natural_name = pairs.value from ${pairsOf(keys)} as pairs
      where files.id = pairs.key`.execute(db);
    after = last.id;
  }
}
