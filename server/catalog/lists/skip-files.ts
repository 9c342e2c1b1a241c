import type { Kysely } from "kysely";
import { sql } from "kysely";
import { ROOT_KEY } from "../../domain/names/name.ts";
import type { Key, ListPosition, Page } from "../../domain/records.ts";
import { giveWay } from "../../lib/time-slices.ts";
import { NOW } from "../engine/prepared-statement.ts";
import type { Schema } from "../engine/schema.ts";
import type { FileFilter } from "../port/file-tree.ts";
import { isLasting, isLive, isOutside, missingMark } from "../records/outside-tree.ts";
import { columns, isPast, isUpTo, matches, walk } from "./file-walk.ts";

/** Files skipped along an index in one step; other requests are served between steps. */
const STEP = 20_000;
/** The same where each file has to be read. */
const READ_STEP = 1000;
/** The same where only the folder of each file has to be read. */
const REMOVED_STEP = 2000;
/** Folders in which files are counted in one statement. */
const FOLDERS = 500;
/** Files that can be read in the time that counting those of one folder takes. */
const FILES_PER_FOLDER = 50;

/** The last file that a page with an offset skips; undefined: the list is shorter. */
export async function skipFiles(
  db: Kysely<Schema>,
  filter: FileFilter,
  page: Page,
): Promise<ListPosition | undefined> {
  // All files of one folder are in the tree, or none of them is; but some of them may have ended.
  const outside = filter.folderId === undefined ? await countOutside(db) : 0;
  const folders = outside + ((await hasEnded(db)) ? 1 : 0);
  if (folders === 0) return skipAll(db, filter, page, page.after, page.offset);
  let place = page.after;
  let toSkip = page.offset;
  const range = STEP * Math.ceil(folders / FOLDERS);
  // Below that, reading the folder of each file takes less than counting in all folders.
  while (toSkip > READ_STEP + FILES_PER_FOLDER * folders) {
    const count = Math.min(toSkip, range);
    const end = await skipAll(db, filter, page, place, count);
    if (end === undefined) return undefined;
    toSkip -= count - (await countHidden(db, filter, page, place, end));
    place = end;
    await giveWay();
  }
  return toSkip === 0 ? place : skipLive(db, filter, page, place, toSkip);
}

/** The file `count` further on, whether it is in the tree or not; undefined: the list is shorter. */
async function skipAll(
  db: Kysely<Schema>,
  filter: FileFilter,
  page: Page,
  from: ListPosition | undefined,
  count: number,
): Promise<ListPosition | undefined> {
  let place = from;
  for (let toSkip = count; toSkip > 0; toSkip -= STEP) {
    place = await skip(db, filter, page, place, Math.min(toSkip, STEP));
    if (place === undefined) return undefined;
    if (toSkip > STEP) await giveWay();
  }
  return place;
}

/** The files between two places (the last one included) that are in removed folders or in the trash. */
async function countHidden(
  db: Kysely<Schema>,
  filter: FileFilter,
  page: Page,
  from: ListPosition | undefined,
  to: ListPosition,
): Promise<number> {
  let hidden = await countEnded(db, filter, page, from, to);
  for (let after: Key | undefined; ; await giveWay()) {
    const folders = await db
      .selectFrom("folders")
      .select(["folders.id", "folders.key"])
      .where(isOutside)
      .$if(after !== undefined, (past) => past.where("folders.key", ">", after ?? ROOT_KEY))
      .orderBy("folders.key")
      .limit(FOLDERS)
      .execute();
    if (folders.length === 0) return hidden;
    const row = await db
      .selectFrom("files")
      .select(sql<number>`count(*)`.as("files"))
      .where(
        "files.folder_id",
        "in",
        folders.map(({ id }) => id),
      )
      .where(matches(filter))
      .where(isPast(page, from))
      .where(isUpTo(page, to))
      .executeTakeFirstOrThrow();
    hidden += Number(row.files);
    if (folders.length < FOLDERS) return hidden;
    after = folders.at(-1)?.key;
  }
}

/** The files in the tree between two places (the last one included) that have ended. */
async function countEnded(
  db: Kysely<Schema>,
  filter: FileFilter,
  page: Page,
  from: ListPosition | undefined,
  to: ListPosition,
): Promise<number> {
  const row = await db
    .selectFrom("files")
    .innerJoin("folders", "folders.id", "files.folder_id")
    .select(sql<number>`count(*)`.as("files"))
    .where("files.expires_at", "<=", sql<number>`${NOW}`)
    .where(isLive)
    .where(matches(filter))
    .where(isPast(page, from))
    .where(isUpTo(page, to))
    .executeTakeFirstOrThrow();
  return Number(row.files);
}

/** Whether there are files that have ended and are not in the trash yet, which are few. */
export async function hasEnded(db: Kysely<Schema>): Promise<boolean> {
  const found = await db
    .selectFrom("files")
    .select("files.id")
    .where("files.expires_at", "<=", sql<number>`${NOW}`)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Like `skipAll`, but counts only files in the tree. */
async function skipLive(
  db: Kysely<Schema>,
  filter: FileFilter,
  page: Page,
  from: ListPosition | undefined,
  count: number,
): Promise<ListPosition | undefined> {
  let place = from;
  for (let toSkip = count; ; await giveWay()) {
    const rows = await db
      .selectFrom("files")
      .innerJoin("folders", "folders.id", "files.folder_id")
      .select([
        sql.ref<string | number>(columns[page.orderBy]).as("value"),
        "files.id",
        missingMark.as("removed"),
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

/** The end of a sequence of files of removed folders. */
export interface Skipped {
  readonly place: ListPosition;
  /** Whether it goes on there, and is longer than `maxSteps`. */
  readonly goesOn: boolean;
}

/** Skips a sequence of files of removed folders, which may be a million files long. */
export async function skipRemoved(
  db: Kysely<Schema>,
  filter: FileFilter,
  page: Page,
  { from, maxSteps }: { readonly from: ListPosition; readonly maxSteps: number },
): Promise<Skipped> {
  let place = from;
  for (let steps = 0; steps < maxSteps; steps += 1) {
    const end = await skip(db, filter, page, place, REMOVED_STEP);
    if (end === undefined) return { place, goesOn: false };
    const live = await db
      .selectFrom("files")
      .innerJoin("folders", "folders.id", "files.folder_id")
      .select("files.id")
      .where(matches(filter))
      .where(isPast(page, place))
      .where(isUpTo(page, end))
      .where(isLive)
      .where(isLasting)
      .orderBy(walk(page))
      .limit(1)
      .executeTakeFirst();
    if (live !== undefined) return { place, goesOn: false };
    place = end;
    await giveWay();
  }
  return { place, goesOn: true };
}

/** Folders outside the tree, whose files are in the index but do not count. */
async function countOutside(db: Kysely<Schema>): Promise<number> {
  const row = await db
    .selectFrom("folders")
    .select(sql<number>`count(*)`.as("folders"))
    .where(isOutside)
    .executeTakeFirstOrThrow();
  return Number(row.folders);
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
