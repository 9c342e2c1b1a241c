import type { Expression, Kysely } from "kysely";
import { expressionBuilder, sql } from "kysely";
import type { Key } from "../../rules/records.ts";
import type { Engine } from "../engine.ts";
import { compiledForItems, type Param } from "../prepared-statement.ts";
import type { Schema } from "../schema.ts";
import type { FilesWithin } from "./files-within.ts";
import { isInFolders } from "./is-in-folders.ts";
import { isLive } from "./outside-tree.ts";

interface Limit {
  readonly id: string;
}

interface Values {
  readonly topId: string;
  readonly limit: number;
}

/** The ids of the folders within the limits, found by one statement each. */
export function createFoldersWithin({ all, first }: Pick<Engine, "all" | "first">) {
  const valuesOf = ({ within, topId }: Pick<FilesWithin, "within" | "topId">, limit: number) => ({
    items: within.map((id) => ({ id })),
    shared: { topId, limit },
  });

  return {
    /** At most `limit` of them. */
    async idsOf(list: FilesWithin, limit: number): Promise<string[]> {
      const rows = await all(selectIds(list.within.length), valuesOf(list, limit));
      return rows.map(({ id }) => id);
    },
    async hasMoreThan(list: FilesWithin, count: number): Promise<boolean> {
      const row = await first(countIds(list.within.length), valuesOf(list, count + 1));
      return Number(row?.count ?? 0) > count;
    },
  };
}

const selectIds = compiledForItems<Limit, Values, { id: string }>((db, limits, param) =>
  inside(
    db,
    limits.map((limit) => limit("id")),
    param,
  ),
);

const countIds = compiledForItems<Limit, Values, { count: number }>((db, limits, param) =>
  db
    .selectFrom(
      inside(
        db,
        limits.map((limit) => limit("id")),
        param,
      ).as("some"),
    )
    .select(({ fn }) => fn.countAll<number>().as("count")),
);

function inside(db: Kysely<Schema>, limits: readonly Expression<string>[], param: Param<Values>) {
  return db
    .selectFrom("folders")
    .select("folders.id")
    .where(isAtOrBelow(param("topId")))
    .where(isLive)
    .where(isInFolders(limits))
    .limit(param("limit"));
}

/** Whether a folder is the one with this id or below it, as ranges in the index of keys. Not the root. */
function isAtOrBelow(topId: Expression<string>) {
  const topKey = (end: string) =>
    sql<Key>`(select top.key || ${sql.lit(end)} from folders as top where top.id = ${topId})`;
  const { eb, or, and } = expressionBuilder<Schema, "folders">();
  return or([
    eb("folders.id", "=", topId),
    and([eb("folders.key", ">", topKey("/")), eb("folders.key", "<", topKey("0"))]),
  ]);
}
