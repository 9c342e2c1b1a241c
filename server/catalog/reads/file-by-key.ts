import { chain, type MaybePromise } from "../../rules/maybe-promise.ts";
import { splitKey } from "../../rules/name.ts";
import type { FileRecord, Key, Name } from "../../rules/records.ts";
import type { Engine, Param } from "../engine.ts";
import type { Names } from "../port.ts";
import { selectFileRows, selectFiles, selectFolders } from "../select-records.ts";
import { remember } from "./remember.ts";

/** A record in memory, and the headers that are kept for as long as it is. */
const RECORDS = { most: 8 * 1024 * 1024, weight: () => 4000 };
const FOLDERS = { most: 1024 * 1024, weight: () => 200 };

/**
 * Finds a file by its key: the read behind every hosted address. Where the engine tells of commits,
 * files and folders are remembered, and the folder is looked up apart: a file that was not asked for
 * before then costs half of what a join does.
 */
export function createFileByKey({
  db,
  prepare,
  generation,
}: Pick<Engine, "db" | "prepare" | "generation">): Names["fileByKey"] {
  // By the folder's id, so that no engine looks through all files of that name in the whole tree.
  const joined = prepare((param: Param<{ folder: Key; name: Name }>) =>
    selectFiles(db)
      .where("files.folder_id", "=", (eb) =>
        eb
          .selectFrom("folders as place")
          .select("place.id")
          .where("place.key", "=", param("folder")),
      )
      .where("files.name", "=", param("name")),
  );
  const joinedByKey = (key: Key): MaybePromise<FileRecord | undefined> => {
    const place = splitKey(key);
    return place === undefined ? undefined : joined(place);
  };
  if (generation === undefined) return joinedByKey;

  const folderByKey = prepare((param: Param<{ key: Key }>) =>
    selectFolders(db).where("folders.key", "=", param("key")),
  );
  const folderId = remember(generation, FOLDERS, (key: Key) =>
    chain(folderByKey({ key }), (folder) => folder?.id),
  );
  const inFolder = prepare((param: Param<{ folderId: string; name: Name }>) =>
    selectFileRows(db)
      .where("files.folder_id", "=", param("folderId"))
      .where("files.name", "=", param("name")),
  );

  return remember(generation, RECORDS, (key: Key) => {
    const place = splitKey(key);
    if (place === undefined) return undefined;
    const before = generation();
    const found = chain(folderId(place.folder), (id) =>
      id === undefined ? undefined : inFolder({ folderId: id, name: place.name }),
    );
    return chain(found, (row): MaybePromise<FileRecord | undefined> => {
      // The folder may have another key by the time that the file was read: both at once, then.
      if (generation() !== before) return joined(place);
      return row === undefined ? undefined : { ...row, key };
    });
  });
}
