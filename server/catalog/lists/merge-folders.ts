import { sql } from "kysely";
import type { ListPosition, Page } from "../../domain/records.ts";
import type { Engine } from "../engine/engine.ts";
import { compiledForItems, perShape } from "../engine/prepared-statement.ts";
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
    { within, name }: FilesWithin,
    { orderBy, direction, after }: Page,
    folderIds: readonly string[],
    limit: number,
  ): Promise<RowBatch> => {
    if (folderIds.length === 0) return { rows: [], isLast: true };
    const count = 2 ** Math.ceil(Math.log2(folderIds.length));
    // No folder has the id "".
    const padding = Array.from({ length: count - folderIds.length }, () => "");
    const shape = { orderBy, direction, named: name !== undefined, isFirst: after === undefined };
    const ids = [...within, ...folderIds, ...padding];
    const rows = await all(selectMerged({ ...shape, limits: within.length })(ids.length), {
      items: ids.map((id) => ({ id })),
      shared: {
        name: name ?? "",
        placeValue: after?.value ?? null,
        placeId: after?.id ?? "",
        limit,
      },
    });
    return { rows, isLast: rows.length < limit };
  };
}

interface Shape extends Pick<Page, "orderBy" | "direction"> {
  readonly named: boolean;
  readonly isFirst: boolean;
  /** How many of the ids are limits; the rest are those of the folders to merge. */
  readonly limits: number;
}

interface Values {
  readonly name: string;
  readonly placeValue: ListPosition["value"];
  readonly placeId: string;
  readonly limit: number;
}

const selectMerged = perShape(
  ({ orderBy, direction, named, isFirst, limits }: Shape) =>
    `${orderBy} ${direction} ${named} ${isFirst} ${limits}`,
  (shape) =>
    compiledForItems<{ id: string }, Values, MarkedFile>((db, items, param) => {
      const ids = items.map((item) => item("id"));
      const name = shape.named ? { name: param("name") } : {};
      const place = shape.isFirst
        ? undefined
        : { value: param("placeValue"), id: param("placeId") };
      const value =
        shape.orderBy === "createdAt" ? sql`` : sql`${sql.ref(columns[shape.orderBy])} as value, `;
      const walks = ids
        .slice(shape.limits)
        .map(
          (folderId) =>
            sql`select ${value}files.id as id from files where ${matches({ folderId, ...name })} and ${isPast(shape, place)}`,
        );
      const towards = sql.raw(shape.direction === "ASC" ? "asc" : "desc");
      const order =
        shape.orderBy === "createdAt" ? sql`id ${towards}` : sql`value ${towards}, id ${towards}`;
      const merged = sql<string>`(select merged.id from (${sql.join(walks, sql` union all `)} order by ${order} limit ${param("limit")}) as merged)`;
      return selectFilesInFolders(db, ids.slice(0, shape.limits))
        .where("files.id", "in", merged)
        .orderBy(walk(shape));
    }),
);
