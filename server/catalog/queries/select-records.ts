import type { ExpressionBuilder, Kysely } from "kysely";
import { sql } from "kysely";
import type { Key } from "../../rules/records.ts";
import type { Schema } from "../schema.ts";
import { FIRST_KEY, isLive, removedMark } from "./removed-folders.ts";

/** Files in the shape of `FileRecord`, to be narrowed down. */
export function selectFiles(db: Kysely<Schema>) {
  return selectAllFiles(db).where(isLive);
}

/** As `selectFiles`, with those of removed folders, of which `removed` tells. */
export function selectMarkedFiles(db: Kysely<Schema>) {
  return selectAllFiles(db).select(removedMark.as("removed"));
}

/** Files without their keys, for whoever knows the folder and that it is of the tree. */
export function selectFileRows(db: Kysely<Schema>) {
  return db.selectFrom("files").select(fileColumns);
}

const fileColumns = [
  "files.id",
  "files.folder_id as folderId",
  "files.name",
  "files.mime_type as mimeType",
  "files.size",
  "files.visibility",
  "files.blob_id as blobId",
  "files.checksum",
  "files.modified_at as modifiedAt",
  "files.created_at as createdAt",
  "files.updated_at as updatedAt",
] as const;

function selectAllFiles(db: Kysely<Schema>) {
  return db
    .selectFrom("files")
    .innerJoin("folders", "folders.id", "files.folder_id")
    .select([
      ...fileColumns,
      sql<Key>`case when folders.key = '' then files.name else folders.key || '/' || files.name end`.as(
        "key",
      ),
    ]);
}

/** Folders in the shape of `FolderRecord`, to be narrowed down. */
export function selectFolders(db: Kysely<Schema>) {
  return db
    .selectFrom("folders")
    .where(isLive)
    .select([
      "folders.id",
      "folders.name",
      "folders.key",
      "folders.parent_id as parentId",
      "folders.created_at as createdAt",
      "folders.updated_at as updatedAt",
    ]);
}

/**
 * Folders below the one with this key, at any depth and without itself. A range of keys, so that
 * the neighbours `ab` and `a_b` of `a` cannot slip in: "0" is the character after "/".
 */
export function isBelow(key: Key) {
  return ({ eb, and, val }: ExpressionBuilder<Schema, "folders">) =>
    key === ""
      ? eb("folders.key", ">=", sql<Key>`${val(FIRST_KEY)}`)
      : and([
          eb("folders.key", ">", sql<Key>`${val(`${key}/`)}`),
          eb("folders.key", "<", sql<Key>`${val(`${key}0`)}`),
        ]);
}

/** The folder with this key and all below it. */
export function isWithin(key: Key) {
  return (eb: ExpressionBuilder<Schema, "folders">) =>
    eb.or([eb("folders.key", "=", key), isBelow(key)(eb)]);
}
