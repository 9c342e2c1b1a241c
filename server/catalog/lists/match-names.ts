import type { Expression, SqlBool } from "kysely";
import { sql } from "kysely";
import type { NameMatch } from "../../domain/names/name-match.ts";
import type { SearchFilter } from "../../domain/search-filter.ts";
import { giveWay } from "../../lib/time-slices.ts";
import type { SearchHit } from "../port/search.ts";
import { RANGE_ROWS } from "./walk-below.ts";

/* The parts of a search: which rows of a range match. */

interface Named {
  readonly id: string;
  readonly name: string;
}

interface NamesQuery<Row> {
  limit(rows: number): NamesQuery<Row>;
  execute(): Promise<Row[]>;
}

/** Patterns up to this length are matched quickly with any name. */
const SHORT_PATTERN = 8;
const MIN_RANGE_ROWS = 500;

/**
 * Rows in a range of a search. In the worst case, the work to match a name grows with the length of the
 * pattern: `aaa…b` is compared at each position of a name of many `a`.
 */
export const rowsFor = ({ likePattern }: NameMatch): number =>
  Math.max(
    MIN_RANGE_ROWS,
    Math.min(RANGE_ROWS, Math.floor((RANGE_ROWS * SHORT_PATTERN) / likePattern.length)),
  );

/** The first `wanted` rows of a range whose names match. */
export async function firstMatches<Row extends Named>(
  query: NamesQuery<Row>,
  match: NameMatch,
  wanted: number,
): Promise<Row[]> {
  const first = await query.limit(wanted).execute();
  const found = await matching(first, match);
  // Some of the rows had other characters than ASCII, and did not match.
  const mayBeMore = first.length === wanted && found.length < wanted;
  return mayBeMore ? (await matching(await query.execute(), match)).slice(0, wanted) : found;
}

/** Names that are matched before other requests run. */
const MATCHED_AT_A_TIME = 250;

/** The rows whose names match. */
export async function matching<Row extends Named>(
  rows: readonly Row[],
  match: NameMatch,
): Promise<Row[]> {
  const found: Row[] = [];
  for (const [at, row] of rows.entries()) {
    if (at > 0 && at % MATCHED_AT_A_TIME === 0) await giveWay();
    if (match.matches(row.name)) found.push(row);
  }
  return found;
}

/** The conditions of a filter. `mime_type` may have parameters. */
export function filterConditions(filter: SearchFilter): Expression<SqlBool>[] {
  const { type, visibility, minSize, maxSize, updatedSince, updatedUntil } = filter;
  const conditions: Expression<SqlBool>[] = [];
  if (type !== undefined) {
    const name = sql`lower(${sql.ref("files.mime_type")})`;
    const escaped = escapeLike(type.toLowerCase());
    conditions.push(
      type.endsWith("/*")
        ? sql`${name} like ${`${escaped.slice(0, -1)}%`} escape '\\'`
        : sql`(${name} = ${type.toLowerCase()} or ${name} like ${`${escaped};%`} escape '\\')`,
    );
  }
  if (visibility !== undefined) conditions.push(sql`files.visibility = ${visibility}`);
  if (minSize !== undefined) conditions.push(sql`files.size >= ${minSize}`);
  if (maxSize !== undefined) conditions.push(sql`files.size <= ${maxSize}`);
  if (updatedSince !== undefined) conditions.push(sql`files.updated_at >= ${updatedSince}`);
  if (updatedUntil !== undefined) conditions.push(sql`files.updated_at < ${updatedUntil}`);
  return conditions;
}

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, "\\$&");

type NameColumn = "files.name" | "folders.name";

/**
 * A condition that all names found by `match` fulfil. Engines lowercase only A to Z alike, and know no
 * accents: JavaScript does the matching of names with other characters than ASCII. So no index of folded
 * names is needed, and a search costs a read of the index of names in any case.
 */
export function mayMatch(match: NameMatch, column: NameColumn): Expression<SqlBool> {
  const others = isNotAscii(column);
  return match.mayBeAscii ? sql`(${isLike(match, column)} or ${others})` : others;
}

/** Whether a name of ASCII characters matches. */
export const isLike = ({ likePattern }: NameMatch, column: NameColumn): Expression<SqlBool> =>
  sql`lower(${sql.ref(column)}) like ${likePattern} escape '\\'`;

export const isNotAscii = (column: NameColumn): Expression<SqlBool> =>
  sql`length(${sql.ref(column)}) <> octet_length(${sql.ref(column)})`;

/** The found rows with their places and their records, which may be gone. */
export function hitsOf<Row extends Named, R extends { readonly id: string }, Place>(
  rows: readonly Row[],
  records: readonly R[],
  placeOf: (row: Row) => Place,
): SearchHit<R, Place>[] {
  const byId = new Map(records.map((record) => [record.id, record]));
  return rows.map((row) => ({ place: placeOf(row), record: byId.get(row.id) }));
}
