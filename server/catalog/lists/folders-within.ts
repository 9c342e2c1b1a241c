import type { Expression, Kysely } from "kysely";
import { expressionBuilder, sql } from "kysely";
import { ROOT_KEY } from "../../domain/names/name.ts";
import type { Key } from "../../domain/records.ts";
import type { Engine } from "../engine/engine.ts";
import { compiledForItems, type Param } from "../engine/prepared-statement.ts";
import type { Schema } from "../engine/schema.ts";
import { isInFolders } from "../records/is-in-folders.ts";
import { FIRST_KEY, isLive } from "../records/outside-tree.ts";
import type { FilesWithin } from "./files-within.ts";

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
      const { selectIds } = statementsFor(list);
      const rows = await all(selectIds(list.within.length), valuesOf(list, limit));
      return rows.map(({ id }) => id);
    },
    async hasMoreThan(list: FilesWithin, count: number): Promise<boolean> {
      const { countIds } = statementsFor(list);
      const row = await first(countIds(list.within.length), valuesOf(list, count + 1));
      return Number(row?.count ?? 0) > count;
    },
  };
}

function createStatements(isRoot: boolean) {
  const inside = (db: Kysely<Schema>, limits: readonly Param<Limit>[], param: Param<Values>) =>
    db
      .selectFrom("folders")
      .select("folders.id")
      .where(isAtOrBelow(param("topId"), isRoot))
      .where(isLive)
      .where(isInFolders(limits.map((limit) => limit("id"))))
      .limit(param("limit"));

  return {
    selectIds: compiledForItems<Limit, Values, { id: string }>(inside),
    countIds: compiledForItems<Limit, Values, { count: number }>((db, limits, param) =>
      db
        .selectFrom(inside(db, limits, param).as("some"))
        .select(({ fn }) => fn.countAll<number>().as("count")),
    ),
  };
}

const belowRoot = createStatements(true);
const belowFolder = createStatements(false);

const statementsFor = ({ topKey }: FilesWithin) => (topKey === ROOT_KEY ? belowRoot : belowFolder);

/** Whether a folder is the one with this id or below it, as ranges in the index of keys. */
function isAtOrBelow(topId: Expression<string>, isRoot: boolean) {
  const topKey = (end: string) =>
    sql<Key>`(select top.key || ${sql.lit(end)} from folders as top where top.id = ${topId})`;
  const { eb, or, and } = expressionBuilder<Schema, "folders">();
  const isBelow = isRoot
    ? eb("folders.key", ">=", sql<Key>`${sql.lit(FIRST_KEY)}`)
    : and([eb("folders.key", ">", topKey("/")), eb("folders.key", "<", topKey("0"))]);
  return or([eb("folders.id", "=", topId), isBelow]);
}
