import type { Kysely } from "kysely";
import { limitsOf, type SeenBy } from "../../domain/callers/caller.ts";
import type { FileRecord, FolderRecord, Key } from "../../domain/records.ts";
import type { Schema } from "../engine/schema.ts";
import type { FilePlace, FileSearch, Search, SearchHit } from "../port/search.ts";
import { isInFolders } from "../records/is-in-folders.ts";
import { isLasting } from "../records/outside-tree.ts";
import { selectFiles, selectFolders } from "../records/select-records.ts";
import { filterConditions, firstMatches, hitsOf, mayMatch, rowsFor } from "./match-names.ts";
import { filesInFolders, walkFiles, walkFolders } from "./walk-below.ts";

export function createFindFolders(db: Kysely<Schema>) {
  return async function* findFolders(
    { within }: SeenBy,
    search: Search<Key>,
  ): AsyncGenerator<SearchHit<FolderRecord, Key>[]> {
    const { match, below, after, limit } = search;
    let wanted = limit;
    for await (const range of walkFolders(db, below, after, rowsFor(match))) {
      const query = db
        .selectFrom("folders")
        .select(["folders.id", "folders.name", "folders.key"])
        .where(range)
        .where(isInFolders(limitsOf(within)))
        .where(mayMatch(match, "folders.name"))
        .orderBy("folders.key");
      const rows = await firstMatches(query, match, wanted);
      const ids = rows.map(({ id }) => id);
      yield ids.length === 0
        ? []
        : hitsOf(
            rows,
            await selectFolders(db)
              .where("folders.id", "in", ids)
              .where(isInFolders(limitsOf(within)))
              .execute(),
            ({ key }) => key,
          );
      wanted -= rows.length;
      if (wanted <= 0) return;
    }
  };
}

export function createFindFiles(db: Kysely<Schema>) {
  return async function* findFiles(
    { within }: SeenBy,
    search: FileSearch,
  ): AsyncGenerator<SearchHit<FileRecord, FilePlace>[]> {
    const { match, filter = {}, below, after, limit } = search;
    const from =
      after === undefined
        ? { folder: below, after: null }
        : { folder: after.folder, after: [after.name] };
    let wanted = limit;
    for await (const range of walkFiles(db, below, ["name"], from, rowsFor(match))) {
      const query = filesInFolders(db)
        .select(["files.id", "files.name", "folders.key as folder"])
        .where(range)
        .where(isLasting)
        .where(isInFolders(limitsOf(within)))
        .where(mayMatch(match, "files.name"))
        .where((is) => is.and(filterConditions(filter)))
        .orderBy("folders.key")
        .orderBy("files.name");
      const rows = await firstMatches(query, match, wanted);
      const ids = rows.map(({ id }) => id);
      yield ids.length === 0
        ? []
        : hitsOf(
            rows,
            await selectFiles(db)
              .where("files.id", "in", ids)
              .where(isInFolders(limitsOf(within)))
              .execute(),
            ({ folder, name }) => ({ folder, name }),
          );
      wanted -= rows.length;
      if (wanted <= 0) return;
    }
  };
}
