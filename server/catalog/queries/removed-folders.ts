import type { ExpressionBuilder, SqlBool } from "kysely";
import { sql } from "kysely";
import type { Key } from "../../rules/records.ts";
import type { Schema } from "../schema.ts";

/*
 * A removed folder lies outside of the tree until it has been emptied: it has no parent, and its
 * key and those of all folders inside begin with a character that no name can have, so that nobody
 * can ask for them. Whoever goes by id or through all rows asks for `isLive`.
 */
const REMOVED = "\u0001";
/** Between the root's key with those of removed folders, and those of all other folders. */
export const FIRST_KEY = "\u0002";

/** The key of a folder that is removed. Those inside keep what comes after the old one. */
export const removedKey = (id: string) => sql<Key>`cast(${`${REMOVED}${id}`} as text)`;

/** Whether a folder is of the tree. Of a part of the key, so that no engine takes it for a range. */
export const isLive = sql<SqlBool>`substr(folders.key, 1, 1) <> ${sql.lit(REMOVED)}`;

/** `isLive` for rows that are to be told apart rather than left out: 1 for what is removed. */
export const removedMark = sql<0 | 1>`case when ${isLive} then 0 else 1 end`;

/** Whether a folder is removed: a range on the index of the keys. */
export function isRemoved({ eb, and, val }: ExpressionBuilder<Schema, "folders">) {
  return and([
    eb("folders.key", ">=", sql<Key>`${val(REMOVED)}`),
    eb("folders.key", "<", sql<Key>`${val(FIRST_KEY)}`),
  ]);
}
