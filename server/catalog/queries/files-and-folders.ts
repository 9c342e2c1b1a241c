import type { Key, Name } from "../../rules/records.ts";
import type { Engine } from "../engine.ts";
import { type Param, prepared } from "../prepared-statement.ts";
import { createFileByKey } from "./file-by-key.ts";
import { createListFiles } from "./list-files.ts";
import { createListFolders } from "./list-folders.ts";
import { createMeasure } from "./measure.ts";
import { createFindFiles, createFindFolders } from "./search.ts";
import { selectFiles, selectFolders } from "./select-records.ts";
import { takenNames } from "./taken-names.ts";

const fileById = prepared((db, param: Param<{ id: string }>) =>
  selectFiles(db).where("files.id", "=", param("id")),
);

const folderById = prepared((db, param: Param<{ id: string }>) =>
  selectFolders(db).where("folders.id", "=", param("id")),
);

export const folderByKey = prepared((db, param: Param<{ key: Key }>) =>
  selectFolders(db).where("folders.key", "=", param("key")),
);

export function createFileQueries(engine: Pick<Engine, "db" | "first" | "all" | "generation">) {
  const { db, first } = engine;

  return {
    fileById: (id: string) => first(fileById, { id }),
    fileByKey: createFileByKey(engine),
    listFiles: createListFiles(engine),
    folderById: (id: string) => first(folderById, { id }),
    folderByKey: (key: Key) => first(folderByKey, { key }),
    listFolders: createListFolders(db),
    findFolders: createFindFolders(db),
    findFiles: createFindFiles(db),
    measure: createMeasure(db),
    async takenName(key: Key, names: readonly Name[]): Promise<Name | undefined> {
      const folder = await first(folderByKey, { key });
      if (folder === undefined) return undefined;
      const taken = await takenNames(engine, folder.id, names);
      return names.find((name) => taken.has(name));
    },
  };
}
