import type { Expression, ExpressionBuilder, Kysely, SqlBool } from "kysely";
import { sql } from "kysely";
import type { FileRecord, Key } from "../../domain/records.ts";
import type { Schema } from "../engine/schema.ts";
import { isInFolders } from "./is-in-folders.ts";
import { FIRST_KEY, isKept, isLasting, isLive, missingMark } from "./outside-tree.ts";

/** All files as `FileRecord`, without those that have ended. */
export function selectFiles(db: Kysely<Schema>) {
  return selectStoredFiles(db).where(isLasting);
}

/** All files in the tree, including those that have ended: for callers that check this themselves. */
export function selectStoredFiles(db: Kysely<Schema>) {
  return selectAllFiles(db).where(isLive);
}

/** All files in the tree and in the trash, where they have other keys, as `FileRecord`. */
export const selectKeptFiles = (db: Kysely<Schema>) => selectAllFiles(db).where(isKept);

/** Like `selectFiles`, including those of removed folders and those that have ended: they have `removed` = 1. */
export function selectMarkedFiles(db: Kysely<Schema>) {
  return selectAllFiles(db).select(missingMark.as("removed"));
}

/** A file, and whether it is outside the folders of a list. */
export type MarkedFile = FileRecord & { readonly outside: 0 | 1 };

/**
 * All files, also those that have ended, with `outside` = 1 for those of removed folders and those that are not in
 * these folders.
 */
export function selectFilesInFolders(db: Kysely<Schema>, folderIds: readonly Expression<string>[]) {
  const isInside = sql<SqlBool>`${isLive} and ${isInFolders(folderIds)}`;
  return selectAllFiles(db).select(
    sql<0 | 1>`case when ${isInside} then 0 else 1 end`.as("outside"),
  );
}

/**
 * Files without their keys, including those that have ended, for callers that know their folder and that it is
 * not removed.
 */
export function selectFileRows(db: Kysely<Schema>) {
  return db.selectFrom("files").select(fileColumns);
}

/** The columns of a file without its key. */
export const fileColumns = [
  "files.id",
  "files.folder_id as folderId",
  "files.name",
  "files.mime_type as mimeType",
  "files.size",
  "files.visibility",
  "files.blob_id as blobId",
  "files.checksum",
  "files.sha256",
  "files.meta as metadata",
  "files.s3",
  "files.charset",
  "files.modified_at as modifiedAt",
  "files.created_at as createdAt",
  "files.updated_at as updatedAt",
  "files.expires_at as expiresAt",
] as const;

function selectAllFiles(db: Kysely<Schema>) {
  return db
    .selectFrom("files")
    .innerJoin("folders", "folders.id", "files.folder_id")
    .select([...fileColumns, fileKey]);
}

/** The key of a file that is joined to its folder. */
export const fileKey =
  sql<Key>`case when folders.key = '' then files.name else folders.key || '/' || files.name end`.as(
    "key",
  );

/** All folders as `FolderRecord`. */
export function selectFolders(db: Kysely<Schema>) {
  return db.selectFrom("folders").where(isLive).select(folderColumns);
}

export const folderColumns = [
  "folders.id",
  "folders.name",
  "folders.key",
  "folders.parent_id as parentId",
  "folders.created_at as createdAt",
  "folders.updated_at as updatedAt",
  "folders.default_visibility as defaultVisibility",
  "folders.inherited_visibility as inheritedVisibility",
  "folders.expire_after as expireAfter",
  "folders.inherited_expire_after as inheritedExpireAfter",
] as const;

/**
 * Folders at any depth below the one with this key. A range of keys does not include the neighbours
 * `ab` and `a_b` of `a`: "0" is the character after "/".
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
