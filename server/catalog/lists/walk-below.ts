import type { Expression, Kysely, SqlBool } from "kysely";
import { expressionBuilder, sql } from "kysely";
import type { Key } from "../../domain/records.ts";
import { giveWay } from "../../lib/time-slices.ts";
import type { Schema } from "../engine/schema.ts";
import { FIRST_KEY } from "../records/outside-tree.ts";

/*
 * Walks over everything below a folder in ranges of limited length, so that reading a million files
 * lets other requests run every few milliseconds. A range is an SQL condition; the walk reads only
 * the index to find its end.
 */

/** Rows in a range, unless the caller does costly work for each. */
export const RANGE_ROWS = 5000;

type Range = Expression<SqlBool>;
type Value = string | number;

/** The order of the files of a folder: the columns of an index after `folder_id`. */
export type FileOrder = readonly ("name" | "size" | "id")[];

/** After the file with these values in the folder with this key; null: before its first file. */
export interface FilePosition {
  readonly folder: Key;
  readonly after: readonly Value[] | null;
}

/**
 * Files in a folder and at any depth below it, by their folder's key and then in the given order,
 * from a position on. The conditions are on `folders` and `files`, for use with `filesInFolders`.
 */
export async function* walkFiles(
  db: Kysely<Schema>,
  top: Key,
  order: FileOrder,
  from: FilePosition,
  rows = RANGE_ROWS,
): AsyncGenerator<Range> {
  const values = sql.join(order.map((column) => sql.ref(`files.${column}`)));
  let { folder, after } = from;
  for (;;) {
    for (let isOver = false; !isOver; ) {
      const rest = sql<SqlBool>`folders.key = ${folder} and ${
        after === null ? always : sql`(${values}) > (${sql.join(after)})`
      }`;
      const end = await positionAt(db, rest, order, rows);
      yield end === undefined ? rest : sql`${rest} and (${values}) <= (${sql.join(end.after)})`;
      isOver = end === undefined;
      after = end?.after ?? null;
      await giveWay();
    }
    for (let isFound = false; !isFound; await giveWay()) {
      const rest = sql<SqlBool>`${key(">", folder)} and ${isUnder(top)}`;
      // Limits the number of folders too: many in a row may have no files.
      const last = await folderAt(db, rest, rows);
      const further = last === undefined ? rest : sql<SqlBool>`${rest} and ${key("<=", last)}`;
      const end = await positionAt(db, further, order, rows);
      // The folder in which the range would end may have any number of files: it gets its own ranges.
      yield end === undefined ? further : sql`${further} and ${key("<", end.folder)}`;
      const next = end?.folder ?? last;
      if (next === undefined) return;
      folder = next;
      isFound = end !== undefined;
    }
  }
}

/** The key of the folder at which a range ends; undefined: there are fewer folders. */
async function folderAt(db: Kysely<Schema>, range: Range, rows: number): Promise<Key | undefined> {
  const row = await db
    .selectFrom("folders")
    .select("folders.key")
    .where(range)
    .orderBy("folders.key")
    .limit(1)
    .offset(rows - 1)
    .executeTakeFirst();
  return row?.key;
}

/** Folders and their files; joined in this order, so that a range of folders limits the work. */
export function filesInFolders(db: Kysely<Schema>) {
  return db.selectFrom("folders").crossJoin("files").whereRef("files.folder_id", "=", "folders.id");
}

async function positionAt(
  db: Kysely<Schema>,
  range: Range,
  order: FileOrder,
  rows: number,
): Promise<{ folder: Key; after: Value[] } | undefined> {
  const columns = order.map((column) => `files.${column}` as const);
  const row = await filesInFolders(db)
    .select(["folders.key", ...columns])
    .where(range)
    .orderBy("folders.key")
    .orderBy(sql.join(columns.map((column) => sql.ref(column))))
    .limit(1)
    .offset(rows - 1)
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

/** Folders at any depth below the one with this key, by key, after `after`. */
export async function* walkFolders(
  db: Kysely<Schema>,
  top: Key,
  after: Key = top,
  rows = RANGE_ROWS,
): AsyncGenerator<Range> {
  for (let from = after; ; ) {
    const rest = sql<SqlBool>`${key(">", from)} and ${isUnder(top)}`;
    const end = await folderAt(db, rest, rows);
    yield end === undefined ? rest : sql`${rest} and ${key("<=", end)}`;
    if (end === undefined) return;
    from = end;
    await giveWay();
  }
}

/** Like `isBelow`, for folders whose key is known to be after `top`. */
const isUnder = (top: Key): Expression<SqlBool> =>
  top === "" ? key(">=", FIRST_KEY) : sql`${key(">", `${top}/`)} and ${key("<", `${top}0`)}`;

/** A comparison of keys that each engine can do by its index. */
const key = (operator: "<" | "<=" | ">" | ">=", value: string): Expression<SqlBool> =>
  expressionBuilder<Schema, "folders">()("folders.key", operator, sql<Key>`${value}`);

const always = sql<SqlBool>`1 = 1`;
