import type { Key } from "../../rules/records.ts";
import type { Engine } from "../engine.ts";
import type { Names } from "../port.ts";
import { type Param, prepared } from "../prepared-statement.ts";
import { selectFiles, selectFolders } from "../select-records.ts";
import { takenNames } from "../taken-names.ts";
import { createFileByKey } from "./file-by-key.ts";
import { createListFiles } from "./list-files.ts";
import { createListFolders } from "./list-folders.ts";
import { createMeasure } from "./measure.ts";
import { createFindFiles, createFindFolders } from "./search.ts";

const fileById = prepared((db, param: Param<{ id: string }>) =>
  selectFiles(db).where("files.id", "=", param("id")),
);

const folderById = prepared((db, param: Param<{ id: string }>) =>
  selectFolders(db).where("folders.id", "=", param("id")),
);

export const folderByKey = prepared((db, param: Param<{ key: Key }>) =>
  selectFolders(db).where("folders.key", "=", param("key")),
);

export function createNames(
  engine: Pick<Engine, "db" | "first" | "all" | "change" | "generation">,
): Names {
  const { db, first, change } = engine;

  return {
    fileById: (id) => first(fileById, { id }),
    fileByKey: createFileByKey(engine),
    listFiles: createListFiles(engine),
    folderById: (id) => first(folderById, { id }),
    folderByKey: (key) => first(folderByKey, { key }),
    listFolders: createListFolders(db),
    findFolders: createFindFolders(db),
    findFiles: createFindFiles(db),
    measure: createMeasure(db),
    async takenName(key, names) {
      const folder = await first(folderByKey, { key });
      if (folder === undefined) return undefined;
      const taken = await takenNames(engine, folder.id, names);
      return names.find((name) => taken.has(name));
    },

    addFiles: (input) => change("addFiles", input),
    changeFile: (input) => change("changeFile", input),
    removeFiles: (ids) => change("removeFiles", ids),
    createFolder: (key) => change("createFolder", key),
    changeFolder: (input) => change("changeFolder", input),
    removeFolder: (id) => change("removeFolder", id),
  };
}
