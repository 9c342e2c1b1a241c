import type { ExpressionBuilder, SqlBool } from "kysely";
import { sql } from "kysely";
import type { Key } from "../../domain/records.ts";
import { ID_LENGTH } from "../engine/ids.ts";
import { NOW } from "../engine/prepared-statement.ts";
import type { Schema } from "../engine/schema.ts";

/*
 * A folder outside the tree has no parent, and its key and those of its subfolders begin with a
 * character that names cannot have, so they cannot be looked up. It is removed, until it has been
 * emptied; or it is in the trash, where it is kept. Queries by id or over all rows need the condition
 * `isLive`.
 */
const OUTSIDE = "\u0001";
/** Keys of removed folders go on with an id, which is before this. */
const TRASHED = `${OUTSIDE}~`;
/** After the keys of the root and of folders outside the tree, and before those of all others. */
export const FIRST_KEY = "\u0002";

/** The key of a removed folder, which replaces its old key as the prefix of its subfolders. */
export const removedKey = (id: string): Key => `${OUTSIDE}${id}` as Key;

/** The key of a folder in the trash, which also replaces its old key as the prefix of its subfolders. */
export const trashKey = (id: string): Key => `${TRASHED}${id}` as Key;

/** The folder that is in the trash, and the rest of the key below it; undefined: a key in the tree. */
export function trashedPlace(key: Key): { readonly id: string; readonly rest: string } | undefined {
  if (!key.startsWith(TRASHED)) return undefined;
  const end = TRASHED.length + ID_LENGTH;
  return { id: key.slice(TRASHED.length, end), rest: key.slice(end) };
}

const begins = (length: 1 | 2, text: string) =>
  sql<SqlBool>`substr(folders.key, 1, ${sql.lit(length)}) = ${sql.lit(text)}`;

/** Whether a folder is in the tree. Compares part of the key, so that engines do not use it as a range. */
export const isLive = sql<SqlBool>`substr(folders.key, 1, 1) <> ${sql.lit(OUTSIDE)}`;

/** Whether a file has not ended. */
export const isLasting = sql<SqlBool>`(files.expires_at is null or files.expires_at > ${NOW})`;

/** Whether a folder is in the tree or in the trash. Compares part of the key, as `isLive` does. */
export const isKept = sql<SqlBool>`(${isLive} or ${begins(2, TRASHED)})`;

/** `isLive` as a column: 1 for folders outside the tree. */
export const outsideMark = sql<0 | 1>`case when ${isLive} then 0 else 1 end`;

/** `isLive` and `isLasting` as a column: 1 for files that lists pass by. */
export const missingMark = sql<0 | 1>`case when ${isLive} and ${isLasting} then 0 else 1 end`;

/** `isKept` as a column: 1 for removed folders. */
export const removedMark = sql<0 | 1>`case when ${isKept} then 0 else 1 end`;

const isBetween =
  (first: string, end: string) =>
  ({ eb, and, val }: ExpressionBuilder<Schema, "folders">) =>
    and([
      eb("folders.key", ">=", sql<Key>`${val(first)}`),
      eb("folders.key", "<", sql<Key>`${val(end)}`),
    ]);

/** Whether a folder is removed, as a range in the index of keys. */
export const isRemoved = isBetween(OUTSIDE, TRASHED);

/** Whether a folder is in the trash, as a range in the index of keys. */
export const isTrashed = isBetween(TRASHED, FIRST_KEY);

/** Whether a folder is removed or in the trash, as a range in the index of keys. */
export const isOutside = isBetween(OUTSIDE, FIRST_KEY);
