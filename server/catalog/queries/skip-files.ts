import { setImmediate } from "node:timers/promises";
import type { Kysely, SqlBool } from "kysely";
import { sql } from "kysely";
import type { ListPosition, Page } from "../../rules/records.ts";
import type { FileFilter } from "../port/file-tree.ts";
import type { Schema } from "../schema.ts";
import { columns, isPast, matches, walk } from "./file-walk.ts";
import { isLive, isOutside, outsideMark } from "./outside-tree.ts";

/** Files skipped along an index in one step; other requests are served between steps. */
const STEP = 20_000;
/** The same where each file has to be read. */
const READ_STEP = 1000;
/** The same where only the folder of each file has to be read. */
const REMOVED_STEP = 5000;

/** The last file that a page with an offset skips; undefined: the list is shorter. */
export async function skipFiles(
  db: Kysely<Schema>,
  filter: FileFilter,
  page: Page,
): Promise<ListPosition | undefined> {
  // All files of one folder are in the tree, or none of them is.
  if (filter.folderId === undefined && (await hasRemoved(db))) return skipLive(db, filter, page);
  let place = page.after;
  for (let toSkip = page.offset; toSkip > 0; toSkip -= STEP) {
    place = await skip(db, filter, page, place, Math.min(toSkip, STEP));
    if (place === undefined) return undefined;
    if (toSkip > STEP) await setImmediate();
  }
  return place;
}

/** While a removed folder is being emptied, its files are in the index but do not count. */
async function skipLive(
  db: Kysely<Schema>,
  filter: FileFilter,
  page: Page,
): Promise<ListPosition | undefined> {
  let place = page.after;
  for (let toSkip = page.offset; ; await setImmediate()) {
    const rows = await db
      .selectFrom("files")
      .innerJoin("folders", "folders.id", "files.folder_id")
      .select([
        sql.ref<string | number>(columns[page.orderBy]).as("value"),
        "files.id",
        outsideMark.as("removed"),
      ])
      .where(matches(filter))
      .where(isPast(page, place))
      .orderBy(walk(page))
      .limit(READ_STEP)
      .execute();
    for (const row of rows) {
      toSkip -= 1 - row.removed;
      if (toSkip === 0) return row;
    }
    place = rows.at(-1);
    if (rows.length < READ_STEP) return undefined;
  }
}

/** Skips a sequence of files of removed folders, which may be a million files long. */
export async function skipRemoved(
  db: Kysely<Schema>,
  filter: FileFilter,
  page: Page,
  from: ListPosition,
): Promise<ListPosition> {
  for (let place = from; ; await setImmediate()) {
    const end = await skip(db, filter, page, place, REMOVED_STEP);
    if (end === undefined) return place;
    const live = await db
      .selectFrom("files")
      .innerJoin("folders", "folders.id", "files.folder_id")
      .select("files.id")
      .where(matches(filter))
      .where(isPast(page, place))
      .where(sql<SqlBool>`not (${isPast(page, end)})`)
      .where(isLive)
      .orderBy(walk(page))
      .limit(1)
      .executeTakeFirst();
    if (live !== undefined) return place;
    place = end;
  }
}

async function hasRemoved(db: Kysely<Schema>): Promise<boolean> {
  const found = db.selectFrom("folders").select("folders.id").where(isOutside).limit(1);
  return (await found.executeTakeFirst()) !== undefined;
}

/** The file `count` further on, read from the index only; undefined: the list is shorter. */
function skip(
  db: Kysely<Schema>,
  filter: FileFilter,
  page: Page,
  place: ListPosition | undefined,
  count: number,
): Promise<ListPosition | undefined> {
  return db
    .selectFrom("files")
    .select([sql.ref<string | number>(columns[page.orderBy]).as("value"), "files.id"])
    .where(matches(filter))
    .where(isPast(page, place))
    .orderBy(walk(page))
    .limit(1)
    .offset(count - 1)
    .executeTakeFirst();
}
