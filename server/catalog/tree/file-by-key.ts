import { splitKey } from "../../domain/names/name.ts";
import { cacheCounts } from "../../domain/process-figures.ts";
import type { FileRecord, Key, Name } from "../../domain/records.ts";
import { chain, type MaybePromise } from "../../lib/maybe-promise.ts";
import type { Engine } from "../engine/engine.ts";
import { lookup, type Param, prepared } from "../engine/prepared-statement.ts";
import { isLive } from "../records/outside-tree.ts";
import { cached, recognized } from "../records/record-cache.ts";
import { selectFileRows, selectStoredFiles } from "../records/select-records.ts";

/** A record in memory. The headers of those that are read often are cached with it. */
const RECORDS = {
  maxBytes: 8 * 1024 * 1024,
  weigh: (file: FileRecord | undefined) => 2000 + 3 * (file?.metadata?.length ?? 0),
  counts: cacheCounts.files,
};
const FOLDERS = { maxBytes: 1024 * 1024, weigh: () => 200, counts: cacheCounts.folders };

/** By the folder's id, so that no engine searches all files of that name in the whole tree. */
const fileInFolderByKey = lookup((db, param: Param<{ folder: Key; name: Name }>) =>
  selectStoredFiles(db)
    .where("files.folder_id", "=", (eb) =>
      eb
        .selectFrom("folders as with_key")
        .select("with_key.id")
        .where("with_key.key", "=", param("folder")),
    )
    .where("files.name", "=", param("name")),
);

const folderIdByKey = prepared((db, param: Param<{ key: Key }>) =>
  db
    .selectFrom("folders")
    .select("folders.id")
    .where("folders.key", "=", param("key"))
    .where(isLive),
);

const fileInFolderById = prepared((db, param: Param<{ folderId: string; name: Name }>) =>
  selectFileRows(db)
    .where("files.folder_id", "=", param("folderId"))
    .where("files.name", "=", param("name")),
);

/**
 * Finds a file by its key: the read behind every hosted address. Where the engine counts commits,
 * files and folder ids are cached, and the folder is looked up first: for a file that is not cached
 * that takes half the time of a join. It may have ended.
 */
export function createFileByKey({
  first,
  generation,
}: Pick<Engine, "first" | "generation">): (key: Key) => MaybePromise<FileRecord | undefined> {
  if (generation === undefined) {
    return recognized(RECORDS, (key: Key) => {
      const place = splitKey(key);
      return place === undefined ? undefined : first(fileInFolderByKey, place);
    });
  }

  const folderId = cached(generation, FOLDERS, (key: Key) =>
    chain(first(folderIdByKey, { key }), (folder) => folder?.id),
  );

  return cached(generation, RECORDS, (key: Key) => {
    const place = splitKey(key);
    if (place === undefined) return undefined;
    const before = generation();
    const found = chain(folderId(place.folder), (id) =>
      id === undefined ? undefined : first(fileInFolderById, { folderId: id, name: place.name }),
    );
    return chain(found, (row): MaybePromise<FileRecord | undefined> => {
      // The folder may have got another key between the two reads: then both in one statement.
      if (generation() !== before) return first(fileInFolderByKey, place);
      return row === undefined ? undefined : { ...row, key };
    });
  });
}
