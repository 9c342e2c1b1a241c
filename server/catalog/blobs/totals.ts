import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { Schema } from "../engine/schema.ts";
import { isOutside, isRemoved } from "../records/outside-tree.ts";

interface Totals {
  readonly files: number;
  readonly bytes: number;
}

const count = sql<number>`count(*)`;
const size = sql<number>`coalesce(sum(size), 0)`;

/** The number of files in the tree and the sum of their sizes, as of one moment. */
export const totals = (db: Kysely<Schema>): Promise<Totals> => totalsWithout(db, isOutside);

/** The same totals for everything that is stored: files in the tree and in the trash, and versions. */
export async function storedTotals(db: Kysely<Schema>): Promise<Totals> {
  const files = await totalsWithout(db, isRemoved);
  const versions = await db
    .selectFrom("versions")
    .select([count.as("files"), size.as("bytes")])
    .executeTakeFirstOrThrow();
  return {
    files: files.files + Number(versions.files),
    bytes: files.bytes + Number(versions.bytes),
  };
}

async function totalsWithout(db: Kysely<Schema>, isExcluded: typeof isOutside): Promise<Totals> {
  // The excluded folders are few: counting their files is faster than excluding each file.
  const excluded = db
    .selectFrom("folders")
    .innerJoin("files", "files.folder_id", "folders.id")
    .where(isExcluded);
  const row = await db
    .selectFrom("files")
    .select([
      count.as("files"),
      size.as("bytes"),
      excluded.select(count.as("count")).as("excludedFiles"),
      excluded.select(sql<number>`coalesce(sum(files.size), 0)`.as("size")).as("excludedBytes"),
    ])
    .executeTakeFirstOrThrow();
  return {
    files: Number(row.files) - Number(row.excludedFiles),
    bytes: Number(row.bytes) - Number(row.excludedBytes),
  };
}
