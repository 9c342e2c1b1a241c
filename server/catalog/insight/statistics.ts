import type { Engine } from "../engine/engine.ts";
import { createCountWithin } from "../lists/count-within.ts";
import type { StatisticsPort } from "../port/insight.ts";
import { outsideMark } from "../records/outside-tree.ts";

export function createStatistics({ db }: Engine): StatisticsPort {
  return {
    countWithin: createCountWithin(db),
    async countFiles(after, limit) {
      const rows = await db
        .selectFrom((from) =>
          from
            .selectFrom("files")
            .innerJoin("folders", "folders.id", "files.folder_id")
            .select(["files.id", "files.mime_type", "files.size", outsideMark.as("removed")])
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
