import type { Kysely, OperationNodeSource } from "kysely";
import { sql } from "kysely";
import { limitsOf, type SeenBy } from "../../domain/callers/caller.ts";
import type { Key } from "../../domain/records.ts";
import { giveWay } from "../../lib/time-slices.ts";
import type { Schema } from "../engine/schema.ts";
import type { Measure, MeasuredFolder } from "../port/file-tree.ts";
import { isInFolders } from "../records/is-in-folders.ts";
import { isLasting } from "../records/outside-tree.ts";
import { isBelow, selectFolders } from "../records/select-records.ts";
import { createMeasure, stopIfGone } from "./measure.ts";
import { filesInFolders, RANGE_ROWS } from "./walk-below.ts";

/*
 * One statement measures several folders, so that a screen of them needs few round trips. It reads a
 * limited number of rows of each, because a long statement keeps other requests waiting. A folder
 * with more is measured alone, in ranges.
 */

/** Folders in one statement. */
const FOLDERS_TOGETHER = 25;
/** Rows that the statement reads of each, at most, in each of its parts. */
const ROWS_EACH = RANGE_ROWS / FOLDERS_TOGETHER;

interface Top {
  readonly id: string;
  readonly key: Key;
}

export function createMeasureEach(db: Kysely<Schema>) {
  const measure = createMeasure(db);
  return async (
    caller: SeenBy,
    ids: readonly string[],
    signal?: AbortSignal,
  ): Promise<MeasuredFolder[]> => {
    if (ids.length === 0) return [];
    const tops = await selectFolders(db)
      .where("folders.id", "in", ids)
      .where(isInFolders(limitsOf(caller.within)))
      .execute();
    const measured = new Map<string, MeasuredFolder>();
    for (let at = 0; at < tops.length; at += FOLDERS_TOGETHER) {
      stopIfGone(signal);
      const together = tops.slice(at, at + FOLDERS_TOGETHER);
      const small = await measureSmall(db, caller, together);
      for (const { id, key } of together) {
        const totals = small.get(id) ?? (await measure(caller, key, signal));
        measured.set(id, { id, key, ...totals });
      }
      await giveWay();
    }
    return ids.map((id) => measured.get(id)).filter((folder) => folder !== undefined);
  };
}

/** The totals of those folders that are small enough for one statement, by id. */
async function measureSmall(db: Kysely<Schema>, caller: SeenBy, tops: readonly Top[]) {
  const parts = tops.flatMap((top, at) => partsOf(db, caller, at, top));
  const { rows: counts } = await sql<{
    at: number;
    part: Part;
    rows: number;
    bytes: number;
  }>`${sql.join(parts, sql` union all `)}`.execute(db);
  const totals = new Map<string, Measure>();
  for (const [at, { id }] of tops.entries()) {
    const own = counts.filter((count) => Number(count.at) === at);
    if (own.some(({ rows }) => Number(rows) >= ROWS_EACH)) continue;
    const sum = { files: 0, folders: 0, bytes: 0 };
    for (const { part, rows, bytes } of own) {
      sum[part] += Number(rows);
      sum.bytes += Number(bytes);
    }
    totals.set(id, sum);
  }
  return totals;
}

/** What the rows of a part are. */
type Part = "files" | "folders";

/** The files of a folder, the folders below it, and their files. */
function partsOf(db: Kysely<Schema>, caller: SeenBy, at: number, { id, key }: Top) {
  const below = db
    .selectFrom("folders")
    .select("folders.id")
    .where(isBelow(key))
    .where(isInFolders(limitsOf(caller.within)))
    // Folders without files count too: a tree of them is not searched for files to the end.
    .limit(ROWS_EACH);
  const own = filesInFolders(db)
    .select("files.size")
    .where("folders.id", "=", id)
    .where(isLasting)
    .where(isInFolders(limitsOf(caller.within)))
    .limit(ROWS_EACH);
  const inside = db
    .selectFrom(below.as("folders"))
    .crossJoin("files")
    .whereRef("files.folder_id", "=", "folders.id")
    .where(isLasting)
    .select("files.size")
    .limit(ROWS_EACH);
  const part = (name: Part, of: OperationNodeSource, bytes: string) =>
    sql`select ${sql.lit(at)} as at, ${sql.lit(name)} as part, count(*) as ${sql.ref("rows")}, ${sql.raw(bytes)} as bytes from ${of}`;
  const size = "coalesce(sum(counted.size), 0)";
  return [
    part("files", own.as("counted"), size),
    part("files", inside.as("counted"), size),
    part("folders", below.as("counted"), "0"),
  ];
}
