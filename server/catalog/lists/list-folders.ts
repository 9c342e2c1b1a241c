import type { Kysely } from "kysely";
import { limitsOf, type SeenBy } from "../../domain/callers/caller.ts";
import type { FolderRecord, Name } from "../../domain/records.ts";
import { giveWay } from "../../lib/time-slices.ts";
import type { Schema } from "../engine/schema.ts";
import { isInFolders } from "../records/is-in-folders.ts";
import { selectFolders } from "../records/select-records.ts";

const BATCH = 1000;

export function createListFolders(db: Kysely<Schema>) {
  return async function* listFolders(
    { within }: SeenBy,
    parentId: string,
    start?: Name,
  ): AsyncGenerator<FolderRecord[]> {
    let after: FolderRecord["name"] | undefined = start;
    for (;;) {
      const batch = await selectFolders(db)
        .where("folders.parent_id", "=", parentId)
        .where(isInFolders(limitsOf(within)))
        .$if(after !== undefined, (query) => query.where("folders.name", ">", after ?? ""))
        .orderBy("folders.name")
        .limit(BATCH)
        .execute();
      if (batch.length > 0) yield batch;
      if (batch.length < BATCH) return;
      after = batch.at(-1)?.name;
      await giveWay();
    }
  };
}
