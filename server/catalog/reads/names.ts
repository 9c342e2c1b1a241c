import { joinKey, keyNames } from "../../rules/name.ts";
import type { FileRecord, Key, Name } from "../../rules/records.ts";
import type { Engine, Param } from "../engine.ts";
import type { Names } from "../port.ts";
import { selectFiles, selectFolders } from "../select-records.ts";
import { takenNames } from "../taken-names.ts";
import { createListFiles } from "./list-files.ts";
import { createListFolders } from "./list-folders.ts";
import { createMeasure } from "./measure.ts";
import { rememberFiles } from "./remember-files.ts";
import { createFindFiles, createFindFolders } from "./search.ts";

export function createNames({
  db,
  prepare,
  change,
  generation,
}: Pick<Engine, "db" | "prepare" | "change" | "generation">): Names {
  const fileById = prepare((param: Param<{ id: string }>) =>
    selectFiles(db).where("files.id", "=", param("id")),
  );
  // By the folder's id, so that no engine looks through all files of that name in the whole tree.
  const fileInFolder = prepare((param: Param<{ folder: Key; name: Name }>) =>
    selectFiles(db)
      .where("files.folder_id", "=", (eb) =>
        eb
          .selectFrom("folders as place")
          .select("place.id")
          .where("place.key", "=", param("folder")),
      )
      .where("files.name", "=", param("name")),
  );
  const fileByKey = async (key: Key): Promise<FileRecord | undefined> => {
    const names = keyNames(key);
    const name = names.pop();
    return name === undefined ? undefined : fileInFolder({ folder: joinKey(names), name });
  };
  const folderById = prepare((param: Param<{ id: string }>) =>
    selectFolders(db).where("folders.id", "=", param("id")),
  );
  const folderByKey = prepare((param: Param<{ key: Key }>) =>
    selectFolders(db).where("folders.key", "=", param("key")),
  );

  return {
    fileById: (id) => fileById({ id }),
    fileByKey: generation === undefined ? fileByKey : rememberFiles(generation, fileByKey),
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
