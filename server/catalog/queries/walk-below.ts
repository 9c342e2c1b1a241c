import { setImmediate } from "node:timers/promises";
import type { Expression, Kysely, SqlBool } from "kysely";
import { expressionBuilder, sql } from "kysely";
import type { Key } from "../../rules/records.ts";
import type { Schema } from "../schema.ts";
import { FIRST_KEY } from "./removed-folders.ts";

/*
 * Walks over everything below a folder in stretches of bounded length, so that whoever reads a
 * million files in that way lets others have their turn every few milliseconds. A stretch is a
 * condition; the walk has looked at the index alone to find where it ends.
 */

/** Rows in a stretch. */
const STRETCH = 5000;

type Stretch = Expression<SqlBool>;
type Value = string | number;

/** What orders the files of a folder: the columns of an index after `folder_id`. */
export type FileOrder = readonly ("name" | "size" | "id")[];

/** After the file with these values in the folder of this key; null: before its first. */
export interface FileSpot {
  readonly folder: Key;
  readonly after: readonly Value[] | null;
}

/**
 * Files in the folder of this key and at any depth below it, by their folder's key and then in the
 * given order, beginning at a spot. The conditions are on `folders` and `files`, to be used
 * with `filesInFolders`.
 */
export async function* walkFiles(
  db: Kysely<Schema>,
  top: Key,
  order: FileOrder,
  from: FileSpot,
): AsyncGenerator<Stretch> {
  const values = sql.join(order.map((column) => sql.ref(`files.${column}`)));
  let { folder, after } = from;
  for (;;) {
    for (let isOver = false; !isOver; ) {
      const rest = sql<SqlBool>`folders.key = ${folder} and ${
        after === null ? always : sql`(${values}) > (${sql.join(after)})`
      }`;
      const end = await spotAt(db, rest, order);
      yield end === undefined ? rest : sql`${rest} and (${values}) <= (${sql.join(end.after)})`;
      isOver = end === undefined;
      after = end?.after ?? null;
      await setImmediate();
    }
    for (let isFound = false; !isFound; await setImmediate()) {
      const rest = sql<SqlBool>`${key(">", folder)} and ${isUnder(top)}`;
      // Folders without files count as well: there may be any number of them in a row.
      const last = await folderAt(db, rest);
      const further = last === undefined ? rest : sql<SqlBool>`${rest} and ${key("<=", last)}`;
      const end = await spotAt(db, further, order);
      // The folder in which the stretch would end may hold any number of files: it comes by itself.
      yield end === undefined ? further : sql`${further} and ${key("<", end.folder)}`;
      const next = end?.folder ?? last;
      if (next === undefined) return;
      folder = next;
      isFound = end !== undefined;
    }
  }
}

/** The key of the folder at which a stretch of these folders ends; undefined: there are fewer. */
async function folderAt(db: Kysely<Schema>, stretch: Stretch): Promise<Key | undefined> {
  const row = await db
    .selectFrom("folders")
    .select("folders.key")
    .where(stretch)
    .orderBy("folders.key")
    .limit(1)
    .offset(STRETCH - 1)
    .executeTakeFirst();
  return row?.key;
}

/** Folders and the files in them, folders first: in any other order a stretch has no bounds. */
export function filesInFolders(db: Kysely<Schema>) {
  return db.selectFrom("folders").crossJoin("files").whereRef("files.folder_id", "=", "folders.id");
}

async function spotAt(
  db: Kysely<Schema>,
  stretch: Stretch,
  order: FileOrder,
): Promise<{ folder: Key; after: Value[] } | undefined> {
  const columns = order.map((column) => `files.${column}` as const);
  const row = await filesInFolders(db)
    .select(["folders.key", ...columns])
    .where(stretch)
    .orderBy("folders.key")
    .orderBy(sql.join(columns.map((column) => sql.ref(column))))
    .limit(1)
    .offset(STRETCH - 1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { key, ...values } = row;
  return { folder: key, after: order.map((column) => columnValue(values, column)) };
}

function columnValue(values: { [column: string]: Value | undefined }, column: string): Value {
  const value = values[column];
  if (value === undefined) throw new Error(`The column ${column} was not read.`);
  return value;
}

/** Folders at any depth below the one of this key, by key, after `after`. */
export async function* walkFolders(
  db: Kysely<Schema>,
  top: Key,
  after: Key = top,
): AsyncGenerator<Stretch> {
  for (let from = after; ; ) {
    const rest = sql<SqlBool>`${key(">", from)} and ${isUnder(top)}`;
    const end = await folderAt(db, rest);
    yield end === undefined ? rest : sql`${rest} and ${key("<=", end)}`;
    if (end === undefined) return;
    from = end;
    await setImmediate();
  }
}

/** Like `isBelow`, for folders whose key is after that of `top` as it is. */
const isUnder = (top: Key): Expression<SqlBool> =>
  top === "" ? key(">=", FIRST_KEY) : sql`${key(">", `${top}/`)} and ${key("<", `${top}0`)}`;

/** A range of keys, as each engine finds it by its index. */
const key = (operator: "<" | "<=" | ">" | ">=", value: string): Expression<SqlBool> =>
  expressionBuilder<Schema, "folders">()("folders.key", operator, sql<Key>`${value}`);

const always = sql<SqlBool>`1 = 1`;
