import type { Kysely } from "kysely";
import type { Key } from "../../domain/records.ts";
import type { Schema } from "../engine/schema.ts";
import type { Within } from "../port/file-tree.ts";
import type { MediaTypeCount } from "../port/insight.ts";
import { isInFolders } from "../records/is-in-folders.ts";
import { countFoldersBelow } from "./measure.ts";
import { filesInFolders, walkFiles } from "./walk-below.ts";

export function createCountWithin(db: Kysely<Schema>) {
  return async (
    below: Key,
    within: Within,
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
        .where(isInFolders(within))
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
    return { types: [...types.values()], folders: await countFoldersBelow(db, below, within) };
  };
}
