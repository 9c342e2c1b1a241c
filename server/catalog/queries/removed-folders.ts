import type { ExpressionBuilder, SqlBool } from "kysely";
import { sql } from "kysely";
import type { Key } from "../../rules/records.ts";
import type { Schema } from "../schema.ts";

/*
 * A removed folder is outside the tree until it has been emptied: it has no parent, and its key and
 * those of its subfolders begin with a character that names cannot have, so they cannot be looked
 * up. Queries by id or over all rows need the condition `isLive`.
 */
const REMOVED = "\u0001";
/** After the keys of the root and of removed folders, and before those of all other folders. */
export const FIRST_KEY = "\u0002";

/** The key of a removed folder, which replaces its old key as the prefix of its subfolders. */
export const removedKey = (id: string) => sql<Key>`cast(${`${REMOVED}${id}`} as text)`;

/** Whether a folder is in the tree. Compares part of the key, so that engines do not use it as a range. */
export const isLive = sql<SqlBool>`substr(folders.key, 1, 1) <> ${sql.lit(REMOVED)}`;

/** `isLive` as a column: 1 for removed folders. */
export const removedMark = sql<0 | 1>`case when ${isLive} then 0 else 1 end`;

/** Whether a folder is removed, as a range in the index of keys. */
export function isRemoved({ eb, and, val }: ExpressionBuilder<Schema, "folders">) {
  return and([
    eb("folders.key", ">=", sql<Key>`${val(REMOVED)}`),
    eb("folders.key", "<", sql<Key>`${val(FIRST_KEY)}`),
  ]);
}
