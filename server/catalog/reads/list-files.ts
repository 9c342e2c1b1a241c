import { setImmediate } from "node:timers/promises";
import type { Expression, Kysely, RawBuilder, SqlBool } from "kysely";
import { sql } from "kysely";
import { placeAfter } from "../../rules/list-place.ts";
import type { FileRecord, ListPlace, Order, Page } from "../../rules/records.ts";
import type { FileFilter } from "../port.ts";
import type { Schema } from "../schema.ts";
import { selectFiles } from "../select-records.ts";

/** Larger ones are no faster to speak of, and what they leave to the collector grows with them. */
const BATCH = 250;
/** Skipping files is a walk along an index; in steps, so that others get their turn in between. */
const SKIP = 20_000;

const columns = {
  // An id begins with the moment of creation: see `ids.ts`.
  createdAt: "files.id",
  updatedAt: "files.updated_at",
  name: "files.name",
  size: "files.size",
  type: "files.mime_type",
} as const satisfies Record<Order, string>;

export function createListFiles(db: Kysely<Schema>) {
  return async function* listFiles(filter: FileFilter, page: Page): AsyncGenerator<FileRecord[]> {
    let place = page.after;
    for (let toSkip = page.offset; toSkip > 0; toSkip -= SKIP) {
      place = await skip(db, filter, page, place, Math.min(toSkip, SKIP));
      if (place === undefined) return;
      if (toSkip > SKIP) await setImmediate();
    }
    let wanted = page.limit ?? Number.POSITIVE_INFINITY;
    while (wanted > 0) {
      const size = Math.min(wanted, BATCH);
      const batch: FileRecord[] = await selectFiles(db)
        .where(matches(filter))
        .where(isPast(page, place))
        .orderBy(walk(page))
        .limit(size)
        .execute();
      if (batch.length > 0) yield batch;
      const last = batch.at(-1);
      if (last === undefined || batch.length < size) return;
      place = placeAfter(last, page.orderBy);
      wanted -= batch.length;
      await setImmediate();
    }
  };
}

/** The file `count` further on, read from the index alone; undefined: the list ends before. */
function skip(
  db: Kysely<Schema>,
  filter: FileFilter,
  page: Page,
  place: ListPlace | undefined,
  count: number,
): Promise<ListPlace | undefined> {
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

function matches({ folderId, name }: FileFilter): Expression<SqlBool> {
  const conditions = [
    ...(folderId === undefined ? [] : [sql<SqlBool>`files.folder_id = ${folderId}`]),
    ...(name === undefined ? [] : [sql<SqlBool>`files.name = ${name}`]),
  ];
  return conditions.length === 0 ? always : sql`${sql.join(conditions, sql` and `)}`;
}

/** Whether a file comes after the place: a comparison of rows is a place in an index. */
function isPast({ orderBy, direction }: Page, place: ListPlace | undefined): Expression<SqlBool> {
  if (place === undefined) return always;
  const past = sql.raw(direction === "ASC" ? ">" : "<");
  if (orderBy === "createdAt") return sql`files.id ${past} ${place.id}`;
  return sql`(${sql.ref(columns[orderBy])}, files.id) ${past} (${place.value}, ${place.id})`;
}

function walk({ orderBy, direction }: Page): RawBuilder<unknown> {
  const towards = sql.raw(direction === "ASC" ? "asc" : "desc");
  if (orderBy === "createdAt") return sql`files.id ${towards}`;
  return sql`${sql.ref(columns[orderBy])} ${towards}, files.id ${towards}`;
}

const always = sql<SqlBool>`1 = 1`;
