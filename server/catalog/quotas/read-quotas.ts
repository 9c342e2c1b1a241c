import type { Kysely, SqlBool } from "kysely";
import { sql } from "kysely";
import { limitsOf, type SeenBy } from "../../domain/callers/caller.ts";
import type { QuotaRecord } from "../../domain/quotas.ts";
import type { Key } from "../../domain/records.ts";
import type { Engine } from "../engine/engine.ts";
import type { Schema } from "../engine/schema.ts";
import { filesInFolders, walkFiles } from "../lists/walk-below.ts";
import { isInFolders } from "../records/is-in-folders.ts";
import { isLive } from "../records/outside-tree.ts";
import { recount } from "./count-contents.ts";
import { type Amount, sum } from "./usage.ts";

const hasLimit = sql<SqlBool>`(quotas.max_bytes is not null or quotas.max_files is not null)`;

export function createQuotaQueries({ db }: Pick<Engine, "db">) {
  return {
    async measureContents(folder: Key): Promise<Amount> {
      let all: Amount = { bytes: 0, files: 0 };
      const start = { folder, after: null };
      for await (const range of walkFiles(db, folder, ["size", "id"], start)) {
        const files = filesInFolders(db).where(range);
        const row = await files
          .select([
            sql<number>`coalesce(sum(files.size), 0)`.as("bytes"),
            sql<number>`count(*)`.as("files"),
          ])
          .executeTakeFirstOrThrow();
        const versions = await files
          .innerJoin("versions", "versions.file_id", "files.id")
          .select([
            sql<number>`coalesce(sum(versions.size), 0)`.as("bytes"),
            sql<number>`count(*)`.as("files"),
          ])
          .executeTakeFirstOrThrow();
        for (const { bytes, files: count } of [row, versions]) {
          all = sum(all, { bytes: Number(bytes), files: Number(count) });
        }
      }
      return all;
    },

    listQuotas: ({ within }: SeenBy): Promise<QuotaRecord[]> =>
      db
        .selectFrom("quotas")
        .innerJoin("folders", "folders.id", "quotas.folder_id")
        .select(["quotas.folder_id as folderId", "folders.key"])
        .select(["quotas.max_bytes as maxBytes", "quotas.max_files as maxFiles"])
        .select(["quotas.used_bytes as usedBytes", "quotas.used_files as usedFiles"])
        .where(isLive)
        .where(hasLimit)
        .where(isInFolders(limitsOf(within)))
        .orderBy("folders.key")
        .execute(),

    async dueRecounts(before: number): Promise<string[]> {
      const rows = await db
        .selectFrom("quotas")
        .select("folder_id")
        .where((eb) => eb.or([eb("counted_at", "is", null), eb("counted_at", "<", before)]))
        .orderBy("folder_id")
        .execute();
      return rows.map(({ folder_id }) => folder_id);
    },
  };
}

/** Quotas whose numbers are not those of a recount, though none is due. */
export async function findWrongQuotas(
  db: Kysely<Schema>,
): Promise<{ readonly id: string; readonly detail: string }[]> {
  const quotas = await db
    .selectFrom("quotas")
    .innerJoin("folders", "folders.id", "quotas.folder_id")
    .select(["quotas.folder_id as id", "folders.name", "quotas.counted_at"])
    .orderBy("quotas.folder_id")
    .execute();
  const wrong: { id: string; detail: string }[] = [];
  for (const { id, name, counted_at } of quotas) {
    const found = counted_at === null ? undefined : await recount(db, id);
    if (found === undefined) continue;
    const { used, actual } = found;
    if (used.bytes === actual.bytes && used.files === actual.files) continue;
    wrong.push({
      id,
      detail: `the quota of "${name}" counts ${used.bytes} bytes in ${used.files} files, but there are ${actual.bytes} bytes in ${actual.files}`,
    });
  }
  return wrong;
}
