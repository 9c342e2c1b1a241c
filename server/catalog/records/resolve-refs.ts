import type { Ref } from "../../domain/callers/ref.ts";
import { splitKey } from "../../domain/names/name.ts";
import type { Key, Name } from "../../domain/records.ts";
import type { StatementRunner } from "../engine/prepared-statement.ts";
import { type Param, prepared } from "../engine/prepared-statement.ts";

/** The ids of files, in the order of the references; undefined: no file in the tree has the key. */
export async function fileIdsOf(
  runner: StatementRunner,
  refs: readonly Ref[],
): Promise<(string | undefined)[]> {
  const ids: (string | undefined)[] = [];
  for (const ref of refs) ids.push(typeof ref === "string" ? ref : await fileId(runner, ref.key));
  return ids;
}

async function fileId(runner: StatementRunner, key: Key): Promise<string | undefined> {
  const place = splitKey(key);
  return place && (await runner.first(selectFileId, place))?.id;
}

/** The id of a folder; undefined: no folder in the tree has the key. */
export async function folderIdOf(runner: StatementRunner, ref: Ref): Promise<string | undefined> {
  if (typeof ref === "string") return ref;
  return (await runner.first(selectFolderId, { key: ref.key }))?.id;
}

/**
 * Whether what a reference by key led to has another key now: it was renamed or moved before it was locked, so that the
 * transaction must start again.
 */
export const isRenamed = (ref: Ref, found: { readonly key: Key } | undefined): boolean =>
  typeof ref !== "string" && found?.key !== ref.key;

/**
 * Whether one of these references, whose file has gone since, leads to another file now: it was replaced before it was
 * locked, so that the transaction must start again. `ids` has what they led to.
 */
export async function leadElsewhere(
  runner: StatementRunner,
  refs: readonly Ref[],
  ids: readonly (string | undefined)[],
): Promise<boolean> {
  if (refs.every((ref) => typeof ref === "string")) return false;
  const now = await fileIdsOf(runner, refs);
  return now.some((id, place) => id !== undefined && id !== ids[place]);
}

const selectFileId = prepared((db, param: Param<{ folder: Key; name: Name }>) =>
  db
    .selectFrom("files")
    .innerJoin("folders", "folders.id", "files.folder_id")
    .select("files.id")
    .where("folders.key", "=", param("folder"))
    .where("files.name", "=", param("name")),
);

const selectFolderId = prepared((db, param: Param<{ key: Key }>) =>
  db.selectFrom("folders").select("folders.id").where("folders.key", "=", param("key")),
);
