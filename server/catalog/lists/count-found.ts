import type { Expression, Kysely, SqlBool } from "kysely";
import { sql } from "kysely";
import { limitsOf, type SeenBy } from "../../domain/callers/caller.ts";
import type { NameMatch } from "../../domain/names/name-match.ts";
import type { Schema } from "../engine/schema.ts";
import type { CountedFiles, CountedFolders } from "../port/search.ts";
import { isInFolders } from "../records/is-in-folders.ts";
import { isLasting } from "../records/outside-tree.ts";
import { filterConditions, isLike, isNotAscii, matching, rowsFor } from "./match-names.ts";
import { filesInFolders, walkFiles, walkFolders } from "./walk-below.ts";

export function createCountFoundFolders(db: Kysely<Schema>) {
  return async function* countFoundFolders(
    { within }: SeenBy,
    search: CountedFolders,
  ): AsyncGenerator<number> {
    const { match, below } = search;
    for await (const range of walkFolders(db, below, below, rowsFor(match))) {
      const rows = db
        .selectFrom("folders")
        .where(range)
        .where(isInFolders(limitsOf(within)));
      yield await countIn(match, {
        like: () =>
          rows.where(isAsciiMatch(match, "folders.name")).select(count).executeTakeFirstOrThrow(),
        others: () =>
          rows.where(isNotAscii("folders.name")).select(["folders.id", "folders.name"]).execute(),
      });
    }
  };
}

export function createCountFoundFiles(db: Kysely<Schema>) {
  return async function* countFoundFiles(
    { within }: SeenBy,
    search: CountedFiles,
  ): AsyncGenerator<number> {
    const { match, filter = {}, below } = search;
    const start = { folder: below, after: null };
    for await (const range of walkFiles(db, below, ["name"], start, rowsFor(match))) {
      const rows = filesInFolders(db)
        .where(range)
        .where(isLasting)
        .where(isInFolders(limitsOf(within)))
        .where((is) => is.and(filterConditions(filter)));
      yield await countIn(match, {
        like: () =>
          rows.where(isAsciiMatch(match, "files.name")).select(count).executeTakeFirstOrThrow(),
        others: () =>
          rows.where(isNotAscii("files.name")).select(["files.id", "files.name"]).execute(),
      });
    }
  };
}

interface RangeQueries {
  readonly like: () => Promise<{ readonly count: number }>;
  /** With the names that only JavaScript can match. */
  readonly others: () => Promise<{ readonly id: string; readonly name: string }[]>;
}

async function countIn(match: NameMatch, { like, others }: RangeQueries): Promise<number> {
  const counted = match.mayBeAscii ? (await like()).count : 0;
  return counted + (await matching(await others(), match)).length;
}

const count = sql<number>`count(*)`.as("count");

const isAsciiMatch = (
  match: NameMatch,
  column: "files.name" | "folders.name",
): Expression<SqlBool> => sql`${isLike(match, column)} and not ${isNotAscii(column)}`;
