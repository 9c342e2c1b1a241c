import { EVERYTHING, type SeenBy } from "../domain/callers/caller.ts";
import { isEnded } from "../domain/lifetime.ts";
import { ROOT_KEY } from "../domain/names/name.ts";
import type { FileRecord, Key, Name } from "../domain/records.ts";
import { chain } from "../lib/maybe-promise.ts";
import type { Engine } from "./engine/engine.ts";
import { lookup, type Param } from "./engine/prepared-statement.ts";
import { createCountFoundFiles, createCountFoundFolders } from "./lists/count-found.ts";
import { createFolderVisibilityQueries } from "./lists/folder-visibility.ts";
import { createListFiles } from "./lists/list-files.ts";
import { createListFolders } from "./lists/list-folders.ts";
import { createListFoldersWithFolders } from "./lists/list-folders-with-folders.ts";
import { createListFoldersWithPeek } from "./lists/list-folders-with-peek.ts";
import { createMeasure } from "./lists/measure.ts";
import { createMeasureEach } from "./lists/measure-each.ts";
import { createRankFiles } from "./lists/rank-files.ts";
import { createFindFiles, createFindFolders } from "./lists/search.ts";
import { createQueriesWithin } from "./records/find-within.ts";
import { selectFiles, selectFolders } from "./records/select-records.ts";
import { takenNames } from "./records/taken-names.ts";
import { createFileBelow } from "./tree/file-below.ts";
import { createFileByKey } from "./tree/file-by-key.ts";

const fileById = lookup((db, param: Param<{ id: string }>) =>
  selectFiles(db).where("files.id", "=", param("id")),
);

const folderById = lookup((db, param: Param<{ id: string }>) =>
  selectFolders(db).where("folders.id", "=", param("id")),
);

export const folderByKey = lookup((db, param: Param<{ key: Key }>) =>
  selectFolders(db).where("folders.key", "=", param("key")),
);

export function createFileQueries(
  engine: Pick<Engine, "db" | "first" | "all" | "generation" | "now">,
) {
  const { db, first, now } = engine;
  const inside = createQueriesWithin(engine);
  const fileByKey = createFileByKey(engine);
  const fileBelow = createFileBelow(engine);
  // A file of a cache may have ended since it was read.
  const unlessEnded = (file: FileRecord | undefined): FileRecord | undefined =>
    file !== undefined && isEnded(file, now) ? undefined : file;
  const findFolderByKey = ({ within }: SeenBy, key: Key) =>
    within === EVERYTHING ? first(folderByKey, { key }) : inside.folderByKey(key, within);

  return {
    fileById: ({ within }: SeenBy, id: string) =>
      within === EVERYTHING ? first(fileById, { id }) : inside.fileById(id, within),
    fileByKey: ({ within }: SeenBy, key: Key) =>
      within === EVERYTHING ? chain(fileByKey(key), unlessEnded) : inside.fileByKey(key, within),
    fileBelow: (folderId: string, key: Key) => chain(fileBelow(folderId, key), unlessEnded),
    listFiles: createListFiles(engine),
    folderById: ({ within }: SeenBy, id: string) =>
      within === EVERYTHING ? first(folderById, { id }) : inside.folderById(id, within),
    folderByKey: findFolderByKey,
    topFolder: ({ within }: SeenBy) =>
      within === EVERYTHING ? first(folderByKey, { key: ROOT_KEY }) : inside.topFolder(within),
    listFolders: createListFolders(db),
    listFoldersWithPeek: createListFoldersWithPeek(engine),
    listFoldersWithFolders: createListFoldersWithFolders(engine),
    findFolders: createFindFolders(db),
    findFiles: createFindFiles(db),
    rankFiles: createRankFiles(db),
    countFoundFolders: createCountFoundFolders(db),
    countFoundFiles: createCountFoundFiles(db),
    measure: createMeasure(db),
    measureEach: createMeasureEach(db),
    ...createFolderVisibilityQueries(db),
    async takenName(caller: SeenBy, key: Key, names: readonly Name[]): Promise<Name | undefined> {
      const { within } = caller;
      const folder = await findFolderByKey(caller, key);
      if (folder === undefined) return undefined;
      const taken = await takenNames(engine, folder.id, names);
      // It may have been moved out before its names were read.
      if (within !== EVERYTHING && (await inside.folderById(folder.id, within)) === undefined) {
        return undefined;
      }
      return names.find((name) => taken.has(name));
    },
  };
}
