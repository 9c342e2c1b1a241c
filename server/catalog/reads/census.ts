import type { Engine } from "../engine.ts";
import type { Census } from "../port.ts";

export function createCensus({ db }: Engine): Census {
  return {
    async countFiles(after, limit) {
      const rows = await db
        .selectFrom((from) =>
          from
            .selectFrom("files")
            .select(["id", "mime_type", "size"])
            .where("id", ">", after)
            .orderBy("id")
            .limit(limit)
            .as("some"),
        )
        .select(({ fn }) => [
          "mime_type as mimeType",
          fn.countAll<number>().as("files"),
          fn.sum<number>("size").as("bytes"),
          fn.max("id").as("last"),
        ])
        .groupBy("mime_type")
        .execute();
      // Engines may give sums as text, since they can be beyond what a number holds.
      const types = rows.map(({ mimeType, files, bytes }) => ({
        mimeType,
        files: Number(files),
        bytes: Number(bytes),
      }));
      const counted = types.reduce((sum, { files }) => sum + files, 0);
      return { types, last: counted < limit ? null : lastId(rows) };
    },
    async countFolders(after, limit) {
      const row = await db
        .selectFrom((from) =>
          from
            .selectFrom("folders")
            .select("id")
            .where("id", ">", after)
            .orderBy("id")
            .limit(limit)
            .as("some"),
        )
        .select(({ fn }) => [fn.countAll<number>().as("count"), fn.max("id").as("last")])
        .executeTakeFirst();
      const count = Number(row?.count ?? 0);
      return { count, last: count < limit ? null : (row?.last ?? null) };
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
