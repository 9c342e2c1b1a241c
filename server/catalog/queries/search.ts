import { setImmediate } from "node:timers/promises";
import type { Expression, Kysely, SqlBool } from "kysely";
import { sql } from "kysely";
import type { NameMatch } from "../../rules/name-match.ts";
import type { FileRecord, FolderRecord, Key } from "../../rules/records.ts";
import type { SearchFilter } from "../../rules/search-filter.ts";
import type { FileSearch, Search } from "../port/file-tree.ts";
import type { Schema } from "../schema.ts";
import { isInFolders } from "./is-in-folders.ts";
import { selectFiles, selectFolders } from "./select-records.ts";
import { filesInFolders, RANGE_ROWS, walkFiles, walkFolders } from "./walk-below.ts";

export function createFindFolders(db: Kysely<Schema>) {
  return async function* findFolders(search: Search<Key>): AsyncGenerator<FolderRecord[]> {
    const { match, below, after, limit, within = [] } = search;
    let wanted = limit;
    for await (const range of walkFolders(db, below, after, rowsFor(match))) {
      const query = db
        .selectFrom("folders")
        .select(["folders.id", "folders.name"])
        .where(range)
        .where(mayMatch(match, "folders.name"))
        .orderBy("folders.key");
      const ids = await firstMatches(query, match, wanted);
      yield ids.length === 0
        ? []
        : inOrder(
            ids,
            await selectFolders(db)
              .where("folders.id", "in", ids)
              .where(isInFolders(within))
              .execute(),
          );
      wanted -= ids.length;
      if (wanted <= 0) return;
    }
  };
}

export function createFindFiles(db: Kysely<Schema>) {
  return async function* findFiles(search: FileSearch): AsyncGenerator<FileRecord[]> {
    const { match, filter = {}, below, after, limit, within = [] } = search;
    const from =
      after === undefined
        ? { folder: below, after: null }
        : { folder: after.folder, after: [after.name] };
    let wanted = limit;
    for await (const range of walkFiles(db, below, ["name"], from, rowsFor(match))) {
      const query = filesInFolders(db)
        .select(["files.id", "files.name"])
        .where(range)
        .where(mayMatch(match, "files.name"))
        .where((is) => is.and(filterConditions(filter)))
        .orderBy("folders.key")
        .orderBy("files.name");
      const ids = await firstMatches(query, match, wanted);
      yield ids.length === 0
        ? []
        : inOrder(
            ids,
            await selectFiles(db).where("files.id", "in", ids).where(isInFolders(within)).execute(),
          );
      wanted -= ids.length;
      if (wanted <= 0) return;
    }
  };
}

interface NamesQuery {
  limit(rows: number): NamesQuery;
  execute(): Promise<{ readonly id: string; readonly name: string }[]>;
}

/** Patterns up to this length are matched quickly with any name. */
const SHORT_PATTERN = 8;
const MIN_RANGE_ROWS = 500;

/**
 * Rows in a range of a search. In the worst case, the work to match a name grows with the length of the
 * pattern: `aaa…b` is compared at each position of a name of many `a`.
 */
const rowsFor = ({ likePattern }: NameMatch): number =>
  Math.max(
    MIN_RANGE_ROWS,
    Math.min(RANGE_ROWS, Math.floor((RANGE_ROWS * SHORT_PATTERN) / likePattern.length)),
  );

/** The ids of the first `wanted` rows of a range whose names match. */
async function firstMatches(
  query: NamesQuery,
  match: NameMatch,
  wanted: number,
): Promise<string[]> {
  const first = await query.limit(wanted).execute();
  const ids = await matching(first, match);
  // Some of the rows had other characters than ASCII, and did not match.
  const mayBeMore = first.length === wanted && ids.length < wanted;
  return mayBeMore ? (await matching(await query.execute(), match)).slice(0, wanted) : ids;
}

/** Names that are matched before other requests run. */
const MATCHED_AT_A_TIME = 250;

/** The ids of the rows whose names match. */
async function matching(
  rows: readonly { readonly id: string; readonly name: string }[],
  match: NameMatch,
): Promise<string[]> {
  const ids: string[] = [];
  for (const [at, { id, name }] of rows.entries()) {
    if (at > 0 && at % MATCHED_AT_A_TIME === 0) await setImmediate();
    if (match.matches(name)) ids.push(id);
  }
  return ids;
}

/** The conditions of a filter. `mime_type` may have parameters. */
function filterConditions(filter: SearchFilter): Expression<SqlBool>[] {
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

/**
 * A condition that all names found by `match` fulfil. Engines lowercase only A to Z alike, and know no
 * accents: JavaScript does the matching of names with other characters than ASCII. So no index of folded
 * names is needed, and a search costs a read of the index of names in any case.
 */
function mayMatch(match: NameMatch, column: "files.name" | "folders.name"): Expression<SqlBool> {
  const name = sql.ref(column);
  const isNotAscii = sql<SqlBool>`length(${name}) <> octet_length(${name})`;
  if (!match.mayBeAscii) return isNotAscii;
  return sql`(lower(${name}) like ${match.likePattern} escape '\\' or ${isNotAscii})`;
}

/** The records in the order of the ids, without those removed meanwhile. */
function inOrder<R extends { readonly id: string }>(
  ids: readonly string[],
  records: readonly R[],
): R[] {
  const byId = new Map(records.map((record) => [record.id, record]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
