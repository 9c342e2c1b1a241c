import type { FileObject, OrderBy, OrderDirection } from "../../../../contract/api.ts";
import { Fault } from "../../../domain/faults/fault.ts";
import { isPositionValue, positionAfter } from "../../../domain/list-position.ts";
import type { FileRecord, ListPosition, Page } from "../../../domain/records.ts";
import { mapBatches } from "../../connection/json-stream.ts";
import type { DescribeFile } from "../describe-file.ts";
import { invalidCursor, readCursor, writeCursor } from "./cursor.ts";

export interface ListQuery {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly orderBy?: OrderBy | undefined;
  readonly orderDirection?: OrderDirection | undefined;
  readonly cursor?: string | undefined;
}

interface FilePage {
  readonly files: AsyncIterable<FileObject[]>;
  /** Known once the files have been read. */
  readonly nextCursor?: () => string | null;
}

/**
 * Reads one page of a list of files. `filter` identifies the list; a cursor is valid only for the
 * same filter and order. Fault "invalid": the cursor belongs to another list or contradicts another
 * parameter.
 */
export function filePage(
  query: ListQuery,
  filter: string,
  read: (page: Page) => AsyncIterable<FileRecord[]>,
  describe: DescribeFile,
): FilePage {
  requirePage(query);
  const page = pageOf(query);
  const { cursor } = query;
  if (cursor === undefined) return { files: mapBatches(read(page), describe) };
  const { limit } = page;
  const list = `${filter} ${page.orderBy} ${page.direction}`;
  const after = placeOf(list, cursor, page);
  const from = after === undefined ? page : { ...page, after };
  // One more shows whether there is another page.
  const batches = read({ ...from, limit: limit === null ? null : limit + 1 });
  let next: string | null = null;
  const onMore = (last: FileRecord): void => {
    const { value, id } = positionAfter(last, page.orderBy);
    next = writeCursor(list, [value, id]);
  };
  const files = limit === null ? batches : first(batches, limit, onMore);
  return { files: mapBatches(files, describe), nextCursor: () => next };
}

/**
 * Fault "invalid": the parameters contradict each other. Called before the caller is authorized, because bad input
 * gets 400 from every caller.
 */
export function requirePage({ cursor, limit, offset = 0 }: ListQuery): void {
  if (cursor === undefined) return;
  if (offset > 0) throw new Fault("invalid", "Give either `offset` or `cursor`, not both.");
  if (limit === 0) throw new Fault("invalid", "With `cursor`, `limit` must be 1 or more.");
}

/** Whether the query continues after a previous page. */
export const isLaterPage = ({ cursor = "" }: ListQuery): boolean => cursor !== "";

/** The list parameters with their defaults. */
const pageOf = (query: ListQuery): Page => ({
  orderBy: query.orderBy ?? "createdAt",
  direction: query.orderDirection ?? "DESC",
  offset: query.offset ?? 0,
  limit: query.limit ?? null,
});

function placeOf(list: string, cursor: string, { orderBy }: Page): ListPosition | undefined {
  if (cursor === "") return undefined;
  const [value, id, ...more] = readCursor(list, cursor);
  if (typeof id !== "string" || more.length > 0 || !isPositionValue(value, orderBy)) {
    throw invalidCursor();
  }
  return { value, id };
}

/** The first `limit` elements; if there are more, calls `onMore` with the last of the first. */
async function* first<T>(
  batches: AsyncIterable<T[]>,
  limit: number,
  onMore: (last: T) => void,
): AsyncGenerator<T[]> {
  let left = limit;
  let last: T | undefined;
  for await (const batch of batches) {
    const wanted = batch.slice(0, left);
    last = wanted.at(-1) ?? last;
    left -= wanted.length;
    if (batch.length > wanted.length && last !== undefined) onMore(last);
    if (wanted.length > 0) yield wanted;
  }
}
