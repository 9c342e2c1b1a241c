import type { Kysely } from "kysely";
import { limitsOf, type SeenBy } from "../../domain/callers/caller.ts";
import type { Key } from "../../domain/records.ts";
import type { Engine } from "../engine/engine.ts";
import type { Schema } from "../engine/schema.ts";
import { countFoldersBelow } from "../lists/measure.ts";
import { filesInFolders, walkFiles } from "../lists/walk-below.ts";
import type { MediaTypeCount, StatisticsPort } from "../port/insight.ts";
import { isInFolders } from "../records/is-in-folders.ts";
import { isLasting, missingMark, outsideMark } from "../records/outside-tree.ts";

export function createStatistics({ db }: Engine): StatisticsPort {
  return {
    countWithin: createCountWithin(db),
    async countFiles(after, limit) {
      const rows = await db
        .selectFrom((from) =>
          from
            .selectFrom("files")
            .innerJoin("folders", "folders.id", "files.folder_id")
            .select(["files.id", "files.mime_type", "files.size", missingMark.as("removed")])
            .where("files.id", ">", after)
            .orderBy("files.id")
            .limit(limit)
            .as("some"),
        )
        .select(({ fn }) => [
          "mime_type as mimeType",
          "removed",
          fn.countAll<number>().as("files"),
          fn.sum<number>("size").as("bytes"),
          fn.max("id").as("last"),
        ])
        .groupBy(["mime_type", "removed"])
        .execute();
      // Engines may return sums as text, since they can exceed a number.
      const types = rows
        .filter(({ removed }) => removed === 0)
        .map(({ mimeType, files, bytes }) => ({
          mimeType,
          files: Number(files),
          bytes: Number(bytes),
        }));
      const counted = rows.reduce((sum, { files }) => sum + Number(files), 0);
      return { types, last: counted < limit ? null : lastId(rows) };
    },
    async countFolders(after, limit) {
      const row = await db
        .selectFrom((from) =>
          from
            .selectFrom("folders")
            .select(["id", outsideMark.as("removed")])
            .where("id", ">", after)
            .orderBy("id")
            .limit(limit)
            .as("some"),
        )
        .select(({ fn }) => [
          fn.countAll<number>().as("seen"),
          fn.sum<number>("removed").as("removed"),
          fn.max("id").as("last"),
        ])
        .executeTakeFirst();
      const seen = Number(row?.seen ?? 0);
      const count = seen - Number(row?.removed ?? 0);
      return { count, last: seen < limit ? null : (row?.last ?? null) };
    },
  };
}

function lastId(rows: readonly { last: string }[]): string {
  const [last = ""] = rows
    .map((row) => row.last)
    .sort()
    .reverse();
  return last;
}

function createCountWithin(db: Kysely<Schema>) {
  return async (
    caller: SeenBy,
    below: Key,
  ): Promise<{ types: MediaTypeCount[]; folders: number }> => {
    const types = new Map<string, MediaTypeCount>();
    const start = { folder: below, after: null };
    for await (const range of walkFiles(db, below, ["size", "id"], start)) {
      const rows = await filesInFolders(db)
        .select(({ fn }) => [
          "files.mime_type as mimeType",
          fn.countAll<number>().as("files"),
          fn.sum<number>("files.size").as("bytes"),
        ])
        .where(range)
        .where(isLasting)
        .where(isInFolders(limitsOf(caller.within)))
        .groupBy("files.mime_type")
        .execute();
      // Engines may return sums as text, since they can exceed a number.
      for (const { mimeType, files, bytes } of rows) {
        const sum = types.get(mimeType) ?? { mimeType, files: 0, bytes: 0 };
        types.set(mimeType, {
          mimeType,
          files: sum.files + Number(files),
          bytes: sum.bytes + Number(bytes),
        });
      }
    }
    return { types: [...types.values()], folders: await countFoldersBelow(db, caller, below) };
  };
}
