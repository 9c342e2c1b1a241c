import { setImmediate } from "node:timers/promises";
import { positionAfter } from "../../rules/list-position.ts";
import type { FileRecord, ListPosition, Page } from "../../rules/records.ts";
import type { Engine } from "../engine.ts";
import type { FileFilter } from "../port.ts";
import { compiledOnce, type Param, perShape } from "../prepared-statement.ts";
import { isPast, matches, walk } from "./file-walk.ts";
import { selectMarkedFiles } from "./select-records.ts";
import { skipFiles, skipRemoved } from "./skip-files.ts";

/** Larger batches are hardly faster, and leave more to the garbage collector. */
const BATCH = 250;
/** While removed folders are being emptied, many of their files may be among the others. */
const BATCH_WITH_REMOVED = 1000;

export function createListFiles({ db, all }: Pick<Engine, "db" | "all">) {
  return async function* listFiles(filter: FileFilter, page: Page): AsyncGenerator<FileRecord[]> {
    let place = page.after;
    if (page.offset > 0) {
      place = await skipFiles(db, filter, page);
      if (place === undefined) return;
    }
    let wanted = page.limit ?? Number.POSITIVE_INFINITY;
    let limit = Math.min(wanted, BATCH);
    const { orderBy, direction } = page;
    const inFolder = filter.folderId !== undefined;
    const named = filter.name !== undefined;
    const digested = filter.sha256 !== undefined;
    const shape = { orderBy, direction, inFolder, named, digested };
    while (wanted > 0) {
      const statement = selectBatch({ ...shape, isFirst: place === undefined });
      const rows = await all(statement, valuesOf(filter, place, limit));
      const batch = rows.flatMap(({ removed, ...file }): FileRecord[] => (removed ? [] : [file]));
      if (batch.length > wanted) batch.length = wanted;
      if (batch.length > 0) yield batch;
      const last = rows.at(-1);
      if (last === undefined || rows.length < limit) return;
      place = positionAfter(last, page.orderBy);
      if (batch.length === 0) place = await skipRemoved(db, filter, page, place);
      wanted -= batch.length;
      limit = batch.length < rows.length ? BATCH_WITH_REMOVED : Math.min(wanted, BATCH);
      await setImmediate();
    }
  };
}

interface BatchValues {
  readonly folderId: string;
  readonly name: string;
  readonly sha256: string;
  readonly placeValue: ListPosition["value"];
  readonly placeId: string;
  readonly limit: number;
}

/** Values without a placeholder in the statement are ignored. */
const valuesOf = (
  filter: FileFilter,
  place: ListPosition | undefined,
  limit: number,
): BatchValues => ({
  folderId: filter.folderId ?? "",
  name: filter.name ?? "",
  sha256: filter.sha256 ?? "",
  placeValue: place?.value ?? null,
  placeId: place?.id ?? "",
  limit,
});

interface BatchShape extends Pick<Page, "orderBy" | "direction"> {
  readonly inFolder: boolean;
  readonly named: boolean;
  readonly digested: boolean;
  readonly isFirst: boolean;
}

const selectBatch = perShape(
  ({ orderBy, direction, inFolder, named, digested, isFirst }: BatchShape) =>
    `${orderBy} ${direction} ${inFolder} ${named} ${digested} ${isFirst}`,
  (shape) =>
    compiledOnce((db, param: Param<BatchValues>) => {
      const filter = {
        ...(shape.inFolder ? { folderId: param("folderId") } : {}),
        ...(shape.named ? { name: param("name") } : {}),
        ...(shape.digested ? { sha256: param("sha256") } : {}),
      };
      const place = shape.isFirst
        ? undefined
        : { value: param("placeValue"), id: param("placeId") };
      return selectMarkedFiles(db)
        .where(matches(filter))
        .where(isPast(shape, place))
        .orderBy(walk(shape))
        .limit(param("limit"));
    }),
);
