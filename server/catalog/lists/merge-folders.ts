import type { Expression } from "kysely";
import { sql } from "kysely";
import type { ListPosition, Page } from "../../domain/records.ts";
import type { Engine } from "../engine/engine.ts";
import { compiledForItems, type Param, perShape } from "../engine/prepared-statement.ts";
import { type MarkedFile, selectFilesInFolders } from "../records/select-records.ts";
import { columns, isPast, matches, walk } from "./file-walk.ts";
import type { FilesWithin, RowBatch } from "./files-within.ts";

/** Folders in one statement. */
export const MAX_MERGED = 128;

/**
 * The files of these folders from a position on, in the order of a page. Both engines merge the walks
 * along the folders' indexes without reading more than they return.
 */
export function createMergeFolders({ all }: Pick<Engine, "all">) {
  return async (
    files: FilesWithin,
    page: Page,
    folderIds: readonly string[],
    limit: number,
  ): Promise<RowBatch> => {
    if (folderIds.length === 0) return { rows: [], isLast: true };
    const { shape, items, shared } = mergeOf(files.within, files, page, folderIds);
    const rows = await all(selectMerged(shape)(items.length), {
      items,
      shared: { ...shared, limit },
    });
    return { rows, isLast: rows.length < limit };
  };
}

/** The last of the first `count` files of these folders from a position on; undefined: there are fewer. Reads the indexes only. */
export function createSkipMerged({ all }: Pick<Engine, "all">) {
  return async (
    files: FilesWithin,
    page: Page,
    folderIds: readonly string[],
    count: number,
  ): Promise<ListPosition | undefined> => {
    if (folderIds.length === 0) return undefined;
    // The limits do not matter: a file that was moved out meanwhile is only counted.
    const { shape, items, shared } = mergeOf([], files, page, folderIds);
    const [place] = await all(selectPlace(shape)(items.length), {
      items,
      shared: { ...shared, before: count - 1 },
    });
    return place;
  };
}

function mergeOf(
  within: readonly string[],
  { name }: Pick<FilesWithin, "name">,
  { orderBy, direction, after }: Page,
  folderIds: readonly string[],
) {
  const count = 2 ** Math.ceil(Math.log2(folderIds.length));
  // No folder has the id "".
  const padding = Array.from({ length: count - folderIds.length }, () => "");
  const shape: Shape = {
    orderBy,
    direction,
    named: name !== undefined,
    isFirst: after === undefined,
    limits: within.length,
  };
  const shared = { name: name ?? "", placeValue: after?.value ?? null, placeId: after?.id ?? "" };
  return { shape, shared, items: [...within, ...folderIds, ...padding].map((id) => ({ id })) };
}

interface Shape extends Pick<Page, "orderBy" | "direction"> {
  readonly named: boolean;
  readonly isFirst: boolean;
  /** How many of the ids are limits; the rest are those of the folders to merge. */
  readonly limits: number;
}

interface Start {
  readonly name: string;
  readonly placeValue: ListPosition["value"];
  readonly placeId: string;
}

const nameOfShape = ({ orderBy, direction, named, isFirst, limits }: Shape): string =>
  `${orderBy} ${direction} ${named} ${isFirst} ${limits}`;

/** The ids of the folders' files in order, with the values that decide it. */
function merged<Values extends Start>(
  { orderBy, direction, named, isFirst }: Shape,
  folderIds: readonly Expression<string>[],
  param: Param<Values>,
) {
  const name = named ? { name: param("name") } : {};
  const place = isFirst ? undefined : { value: param("placeValue"), id: param("placeId") };
  const isById = orderBy === "createdAt";
  const value = isById ? sql`null` : sql.ref(columns[orderBy]);
  const walks = folderIds.map(
    (folderId) =>
      sql`select ${value} as value, files.id as id from files where ${matches({ folderId, ...name })} and ${isPast({ orderBy, direction }, place)}`,
  );
  const towards = sql.raw(direction === "ASC" ? "asc" : "desc");
  const order = isById ? sql`id ${towards}` : sql`value ${towards}, id ${towards}`;
  return sql`${sql.join(walks, sql` union all `)} order by ${order}`;
}

const selectMerged = perShape(nameOfShape, (shape) =>
  compiledForItems<{ id: string }, Start & { limit: number }, MarkedFile>((db, items, param) => {
    const ids = items.map((item) => item("id"));
    const first = sql<string>`(select merged.id from (${merged(shape, ids.slice(shape.limits), param)} limit ${param("limit")}) as merged)`;
    return selectFilesInFolders(db, ids.slice(0, shape.limits))
      .where("files.id", "in", first)
      .orderBy(walk(shape));
  }),
);

const selectPlace = perShape(nameOfShape, (shape) =>
  compiledForItems<{ id: string }, Start & { before: number }, ListPosition>((db, items, param) => {
    const ids = items.map((item) => item("id"));
    const place = sql<ListPosition>`(${merged(shape, ids, param)} limit 1 offset ${param("before")})`;
    return db.selectFrom(place.as("place")).selectAll();
  }),
);
