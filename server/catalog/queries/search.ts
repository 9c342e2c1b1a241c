import type { Kysely } from "kysely";
import type { FileRecord, FolderRecord, Key } from "../../rules/records.ts";
import type { FileSearch, Search } from "../port/search.ts";
import type { Schema } from "../schema.ts";
import { isInFolders } from "./is-in-folders.ts";
import { filterConditions, firstMatches, inOrder, mayMatch, rowsFor } from "./match-names.ts";
import { selectFiles, selectFolders } from "./select-records.ts";
import { filesInFolders, walkFiles, walkFolders } from "./walk-below.ts";

export function createFindFolders(db: Kysely<Schema>) {
  return async function* findFolders(search: Search<Key>): AsyncGenerator<FolderRecord[]> {
    const { match, below, after, limit, within = [] } = search;
    let wanted = limit;
    for await (const range of walkFolders(db, below, after, rowsFor(match))) {
      const query = db
        .selectFrom("folders")
        .select(["folders.id", "folders.name"])
        .where(range)
        .where(mayMatch(match, "folders.name"))
        .orderBy("folders.key");
      const ids = (await firstMatches(query, match, wanted)).map(({ id }) => id);
      yield ids.length === 0
        ? []
        : inOrder(
            ids,
            await selectFolders(db)
              .where("folders.id", "in", ids)
              .where(isInFolders(within))
              .execute(),
          );
      wanted -= ids.length;
      if (wanted <= 0) return;
    }
  };
}

export function createFindFiles(db: Kysely<Schema>) {
  return async function* findFiles(search: FileSearch): AsyncGenerator<FileRecord[]> {
    const { match, filter = {}, below, after, limit, within = [] } = search;
    const from =
      after === undefined
        ? { folder: below, after: null }
        : { folder: after.folder, after: [after.name] };
    let wanted = limit;
    for await (const range of walkFiles(db, below, ["name"], from, rowsFor(match))) {
      const query = filesInFolders(db)
        .select(["files.id", "files.name"])
        .where(range)
        .where(mayMatch(match, "files.name"))
        .where((is) => is.and(filterConditions(filter)))
        .orderBy("folders.key")
        .orderBy("files.name");
      const ids = (await firstMatches(query, match, wanted)).map(({ id }) => id);
      yield ids.length === 0
        ? []
        : inOrder(
            ids,
            await selectFiles(db).where("files.id", "in", ids).where(isInFolders(within)).execute(),
          );
      wanted -= ids.length;
      if (wanted <= 0) return;
    }
  };
}
