import type { Kysely } from "kysely";
import type { FolderRecord, Name } from "../../rules/records.ts";
import { giveWay } from "../../rules/time-slices.ts";
import type { Within } from "../port/file-tree.ts";
import type { Schema } from "../schema.ts";
import { isInFolders } from "./is-in-folders.ts";
import { selectFolders } from "./select-records.ts";

const BATCH = 1000;

export function createListFolders(db: Kysely<Schema>) {
  return async function* listFolders(
    parentId: string,
    within: Within = [],
    start?: Name,
  ): AsyncGenerator<FolderRecord[]> {
    let after: FolderRecord["name"] | undefined = start;
    for (;;) {
      const batch = await selectFolders(db)
        .where("folders.parent_id", "=", parentId)
        .where(isInFolders(within))
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
