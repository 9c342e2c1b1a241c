import { sql } from "kysely";
import { splitKey } from "../../domain/names/name.ts";
import { cacheCounts } from "../../domain/process-figures.ts";
import type { FileRecord, Key, Name } from "../../domain/records.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";
import type { Engine } from "../engine/engine.ts";
import { lookup, type Param } from "../engine/prepared-statement.ts";
import { cached, recognized } from "../records/record-cache.ts";
import { selectStoredFiles } from "../records/select-records.ts";

/** A record in memory. The headers of those that are read often are cached with it. */
const RECORDS = {
  maxBytes: 4 * 1024 * 1024,
  weigh: (file: FileRecord | undefined) => 2000 + 3 * (file?.metadata?.length ?? 0),
  counts: cacheCounts.files,
};

/**
 * One statement, so that it sees one moment: a folder that takes the place of the moved one meanwhile is
 * not read. `suffix`: empty, or a slash and the key of a folder below. Only the root has an empty key.
 */
const fileBelowFolder = lookup(
  (db, param: Param<{ folderId: string; suffix: string; name: Name }>) =>
    selectStoredFiles(db)
      .where("files.folder_id", "=", (eb) =>
        eb
          .selectFrom("folders as with_key")
          .select("with_key.id")
          .where("with_key.key", "=", (inner) =>
            inner
              .selectFrom("folders as top")
              .select(sql<Key>`ltrim(top.key || ${param("suffix")}, '/')`.as("key"))
              .where("top.id", "=", param("folderId")),
          ),
      )
      .where("files.name", "=", param("name")),
);

/** Finds a file by the id of a folder and its key relative to it. It may have ended. */
export function createFileBelow({
  first,
  generation,
}: Pick<Engine, "first" | "generation">): (
  folderId: string,
  key: Key,
) => MaybePromise<FileRecord | undefined> {
  const read = (id: string): MaybePromise<FileRecord | undefined> => {
    const at = id.indexOf("/");
    const place = splitKey(id.slice(at + 1) as Key);
    if (place === undefined) return undefined;
    const suffix = place.folder === "" ? "" : `/${place.folder}`;
    return first(fileBelowFolder, { folderId: id.slice(0, at), suffix, name: place.name });
  };
  const find =
    generation === undefined ? recognized(RECORDS, read) : cached(generation, RECORDS, read);
  // No id has a slash.
  return (folderId, key) => find(`${folderId}/${key}`);
}
