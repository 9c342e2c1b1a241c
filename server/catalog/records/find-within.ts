import type { FolderIds } from "../../domain/callers/caller.ts";
import { splitKey } from "../../domain/names/name.ts";
import type { FileRecord, FolderRecord, Key, Name } from "../../domain/records.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";
import type { Engine } from "../engine/engine.ts";
import { type Param, preparedForItems } from "../engine/prepared-statement.ts";
import { isInFolders } from "./is-in-folders.ts";
import { selectFiles, selectFolders } from "./select-records.ts";

interface Limit {
  readonly folderId: string;
}

const itemsOf = (within: FolderIds): Limit[] => within.map((folderId) => ({ folderId }));
const folderIds = (limits: readonly Param<Limit>[]) => limits.map((limit) => limit("folderId"));

const fileById = preparedForItems<Limit, { id: string }, FileRecord>((db, limits, param) =>
  selectFiles(db)
    .where("files.id", "=", param("id"))
    .where(isInFolders(folderIds(limits))),
);

const fileByPlace = preparedForItems<Limit, { folder: Key; name: Name }, FileRecord>(
  (db, limits, param) =>
    selectFiles(db)
      .where("files.folder_id", "=", (eb) =>
        eb
          .selectFrom("folders as with_key")
          .select("with_key.id")
          .where("with_key.key", "=", param("folder")),
      )
      .where("files.name", "=", param("name"))
      .where(isInFolders(folderIds(limits))),
);

const folderById = preparedForItems<Limit, { id: string }, FolderRecord>((db, limits, param) =>
  selectFolders(db)
    .where("folders.id", "=", param("id"))
    .where(isInFolders(folderIds(limits))),
);

const folderByKey = preparedForItems<Limit, { key: Key }, FolderRecord>((db, limits, param) =>
  selectFolders(db)
    .where("folders.key", "=", param("key"))
    .where(isInFolders(folderIds(limits))),
);

const folderOf = preparedForItems<Limit, Record<never, never>, FolderRecord>((db, limits) =>
  selectFolders(db)
    .where("folders.id", "in", folderIds(limits))
    .where(isInFolders(folderIds(limits))),
);

/** Lookups limited to what is in some folders, each one statement, so that it sees one moment. */
export function createQueriesWithin({ first }: Pick<Engine, "first">) {
  return {
    fileById: (id: string, within: FolderIds) =>
      first(fileById(within.length), { items: itemsOf(within), shared: { id } }),
    fileByKey(key: Key, within: FolderIds): MaybePromise<FileRecord | undefined> {
      const place = splitKey(key);
      if (place === undefined) return undefined;
      return first(fileByPlace(within.length), { items: itemsOf(within), shared: place });
    },
    folderById: (id: string, within: FolderIds) =>
      first(folderById(within.length), { items: itemsOf(within), shared: { id } }),
    folderByKey: (key: Key, within: FolderIds) =>
      first(folderByKey(within.length), { items: itemsOf(within), shared: { key } }),
    /** The one of the folders that is inside all of them; undefined: there is none. */
    topFolder: (within: FolderIds) =>
      first(folderOf(within.length), { items: itemsOf(within), shared: {} }),
  };
}
