import type { Kysely } from "kysely";
import { sql } from "kysely";
import { limitsOf, type SeenBy } from "../../domain/callers/caller.ts";
import { keyNames, ROOT_KEY, splitKey } from "../../domain/names/name.ts";
import type { FolderRecord, Key } from "../../domain/records.ts";
import type { Schema } from "../engine/schema.ts";
import type { FolderDefaults, VisibilityCounts } from "../port/file-tree.ts";
import { isInFolders } from "../records/is-in-folders.ts";
import { isLasting, isLive } from "../records/outside-tree.ts";
import { isBelow, selectFolders } from "../records/select-records.ts";
import { filesInFolders, walkFiles } from "./walk-below.ts";

const MAX_LISTED = 1000;

export function createFolderVisibilityQueries(db: Kysely<Schema>) {
  const withDefault = ({ within }: SeenBy) =>
    selectFolders(db)
      .where("folders.default_visibility", "is not", null)
      .where(isInFolders(limitsOf(within)));

  return {
    async folderDefaults(caller: SeenBy, folder: FolderRecord): Promise<FolderDefaults> {
      const above = await withDefault(caller)
        .where("folders.key", "in", withAncestors(folder.key))
        .execute();
      const subfolders = await withDefault(caller)
        .where("folders.parent_id", "=", folder.id)
        .orderBy("folders.name")
        .limit(MAX_LISTED)
        .execute();
      const depth = ({ key }: FolderRecord) => keyNames(key).length;
      return { origin: above.sort((a, b) => depth(b) - depth(a))[0], subfolders };
    },

    async countVisibility({ within }: SeenBy, below: Key): Promise<VisibilityCounts> {
      const files = { public: 0, private: 0 };
      const start = { folder: below, after: null };
      for await (const range of walkFiles(db, below, ["size", "id"], start)) {
        const rows = await filesInFolders(db)
          .select(["files.visibility", sql<number>`count(*)`.as("count")])
          .where(range)
          .where(isLasting)
          .where(isInFolders(limitsOf(within)))
          .groupBy("files.visibility")
          .execute();
        for (const { visibility, count } of rows) files[visibility] += Number(count);
      }
      const folders = { public: 0, private: 0 };
      const rows = await db
        .selectFrom("folders")
        .select(["default_visibility as visibility", sql<number>`count(*)`.as("count")])
        .where("default_visibility", "is not", null)
        .where(isLive)
        .where(isBelow(below))
        .where(isInFolders(limitsOf(within)))
        .groupBy("default_visibility")
        .execute();
      for (const { visibility, count } of rows) {
        if (visibility !== null) folders[visibility] += Number(count);
      }
      return { files, folders };
    },
  };
}

/** The key, and those of the folders above it. */
function withAncestors(key: Key): Key[] {
  const keys = [key];
  for (let at = key; at !== ROOT_KEY; keys.push(at)) at = splitKey(at)?.folder ?? ROOT_KEY;
  return keys;
}
