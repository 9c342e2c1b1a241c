import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { Schema } from "../schema.ts";
import { isOutside } from "./outside-tree.ts";

/** The number of files and the sum of their sizes, as of one moment. */
export async function totals(db: Kysely<Schema>): Promise<{ files: number; bytes: number }> {
  const count = sql<number>`count(*)`;
  const size = sql<number>`coalesce(sum(files.size), 0)`;
  // Removed folders are few: counting their files is faster than excluding each file.
  const removed = db
    .selectFrom("folders")
    .innerJoin("files", "files.folder_id", "folders.id")
    .where(isOutside);
  const row = await db
    .selectFrom("files")
    .select([
      count.as("files"),
      size.as("bytes"),
      removed.select(count.as("count")).as("removedFiles"),
      removed.select(size.as("size")).as("removedBytes"),
    ])
    .executeTakeFirstOrThrow();
  return {
    files: Number(row.files) - Number(row.removedFiles),
    bytes: Number(row.bytes) - Number(row.removedBytes),
  };
}
