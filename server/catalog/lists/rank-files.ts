import type { Kysely, RawBuilder } from "kysely";
import { sql } from "kysely";
import { compareUtf8 } from "../../../contract/text/utf8-order.ts";
import { limitsOf, type SeenBy } from "../../domain/callers/caller.ts";
import type { FileRecord, ListPosition, Order } from "../../domain/records.ts";
import type { Schema } from "../engine/schema.ts";
import type { RankedSearch, SearchHit } from "../port/search.ts";
import { isInFolders } from "../records/is-in-folders.ts";
import { isLasting } from "../records/outside-tree.ts";
import { selectFiles } from "../records/select-records.ts";
import { columns, isPast, isUpTo, walk } from "./file-walk.ts";
import { filterConditions, firstMatches, hitsOf, mayMatch, rowsFor } from "./match-names.ts";
import { filesInFolders, walkFiles } from "./walk-below.ts";

/** Reads everything below the folder in ranges, and keeps the first of what it has found so far. */
export function createRankFiles(db: Kysely<Schema>) {
  return async function* rankFiles(
    { within }: SeenBy,
    search: RankedSearch,
  ): AsyncGenerator<SearchHit<FileRecord, ListPosition>[]> {
    const { match, filter = {}, below, after, limit, order } = search;
    const start = { folder: below, after: null };
    let best: Ranked[] = [];
    for await (const range of walkFiles(db, below, ["name"], start, rowsFor(match))) {
      const last = best.length < limit ? undefined : best.at(-1);
      const query = filesInFolders(db)
        .select(["files.id", "files.name", positionColumn(order.orderBy).as("value")])
        .where(range)
        .where(isLasting)
        .where(isInFolders(limitsOf(within)))
        .where(mayMatch(match, "files.name"))
        .where((is) => is.and(filterConditions(filter)))
        .where(isPast(order, after))
        .where((is) => is.and(last === undefined ? [] : [isUpTo(order, last)]))
        .orderBy(walk(order));
      const found = await firstMatches(query, match, limit);
      if (found.length > 0) {
        // A file that has been moved or renamed meanwhile is found again in a later range.
        const byId = new Map([...best, ...found].map((file) => [file.id, file]));
        best = [...byId.values()].sort(comparison(order.direction)).slice(0, limit);
      }
      yield [];
    }
    const ids = best.map(({ id }) => id);
    if (ids.length === 0) return;
    const records = selectFiles(db)
      .where("files.id", "in", ids)
      .where(isInFolders(limitsOf(within)));
    yield hitsOf(best, await records.execute(), ({ value, id }) => ({ value, id }));
  };
}

interface Ranked extends ListPosition {
  readonly name: string;
}

/** The value of a `ListPosition`. */
const positionColumn = (orderBy: Order): RawBuilder<ListPosition["value"]> =>
  orderBy === "createdAt" ? sql`null` : sql`${sql.ref(columns[orderBy])}`;

/** As the engines compare, which do it by bytes. */
function comparison(direction: "ASC" | "DESC"): (one: Ranked, other: Ranked) => number {
  const sign = direction === "ASC" ? 1 : -1;
  return (one, other) =>
    sign * (compareValues(one.value, other.value) || compareUtf8(one.id, other.id));
}

function compareValues(one: Ranked["value"], other: Ranked["value"]): number {
  if (typeof one === "string" && typeof other === "string") return compareUtf8(one, other);
  return Number(one) - Number(other);
}
