import type { Key } from "../../rules/records.ts";
import type { Engine, Param } from "../engine.ts";
import type { Names } from "../port.ts";
import { selectFiles, selectFolders } from "../select-records.ts";
import { takenNames } from "../taken-names.ts";
import { createFileByKey } from "./file-by-key.ts";
import { createListFiles } from "./list-files.ts";
import { createListFolders } from "./list-folders.ts";
import { createMeasure } from "./measure.ts";
import { createFindFiles, createFindFolders } from "./search.ts";

export function createNames(
  engine: Pick<Engine, "db" | "prepare" | "change" | "generation">,
): Names {
  const { db, prepare, change } = engine;
  const fileById = prepare((param: Param<{ id: string }>) =>
    selectFiles(db).where("files.id", "=", param("id")),
  );
  const folderById = prepare((param: Param<{ id: string }>) =>
    selectFolders(db).where("folders.id", "=", param("id")),
  );
  const folderByKey = prepare((param: Param<{ key: Key }>) =>
    selectFolders(db).where("folders.key", "=", param("key")),
  );

  return {
    fileById: (id) => fileById({ id }),
    fileByKey: createFileByKey(engine),
    listFiles: createListFiles(db),
    folderById: (id) => folderById({ id }),
    folderByKey: (key) => folderByKey({ key }),
    listFolders: createListFolders(db),
    findFolders: createFindFolders(db),
    findFiles: createFindFiles(db),
    measure: createMeasure(db),
    async takenName(key, names) {
      const folder = await folderByKey({ key });
      if (folder === undefined) return undefined;
      const taken = await takenNames(db, folder.id, names);
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
