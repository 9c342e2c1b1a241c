import { sql } from "kysely";
import type { Millis } from "../../domain/records.ts";
import { chunks } from "../engine/chunks.ts";
import type { Tx } from "../engine/tx.ts";
import { type CounterKind, MAX_FILES_PER_DAY, type NewCount } from "../port/counters.ts";
import type { CountersTable } from "../tables/insight.ts";

/** The parameters of a row. */
const COLUMNS = 6;

/** The row of a count. Its id orders the rows of a kind by period and subject. */
function rowOf(kind: CounterKind, count: NewCount): CountersTable {
  const { period, subject, requests, bytes, errors = 0, weight = 0 } = count;
  return { id: `${firstIdOf(kind, period)} ${subject}`, subject, requests, bytes, errors, weight };
}

/** Not greater than the ids of a kind from periods that began at a moment or later, greater than all earlier ones. */
export const firstIdOf = (kind: CounterKind, moment: Millis): string =>
  `${kind} ${new Date(moment).toISOString()}`;

export async function addCounts(
  tx: Tx,
  kind: CounterKind,
  counts: readonly NewCount[],
): Promise<void> {
  if (kind === "file") await lockFileCounts(tx);
  // In a fixed order, so that two transactions cannot deadlock.
  const rows = counts
    .map((count) => rowOf(kind, count))
    .sort((one, other) => (one.id < other.id ? -1 : 1));
  for (const chunk of chunks(rows, Math.floor(500 / COLUMNS))) {
    await tx.db
      .insertInto("counters")
      .values(chunk)
      .onConflict((conflict) =>
        conflict.column("id").doUpdateSet({
          requests: sql<number>`counters.requests + excluded.requests`,
          bytes: sql<number>`counters.bytes + excluded.bytes`,
          errors: sql<number>`counters.errors + excluded.errors`,
          weight: sql<number>`counters.weight + excluded.weight`,
        }),
      )
      .execute();
  }
  if (kind !== "file") return;
  for (const day of new Set(counts.map(({ period }) => period))) await keepHeaviest(tx, day);
}

/** As in `lib/frequent-items.ts`, for the files of a day. */
async function keepHeaviest(tx: Tx, day: Millis): Promise<void> {
  const rows = await tx.db
    .selectFrom("counters")
    .select(["id", "weight"])
    .where("id", ">=", firstIdOf("file", day))
    .where("id", "<", firstIdOf("file", day + 1))
    .orderBy("weight", "desc")
    .orderBy("requests", "desc")
    .orderBy("id")
    .execute();
  const others = rows.slice(MAX_FILES_PER_DAY);
  const heaviest = others[0];
  if (heaviest === undefined) return;
  for (const chunk of chunks(others.map(({ id }) => id))) {
    await tx.db.deleteFrom("counters").where("id", "in", chunk).execute();
  }
  await tx.db
    .updateTable("counters")
    .set({ weight: sql<number>`weight - ${heaviest.weight}` })
    .where("id", ">=", firstIdOf("file", day))
    .where("id", "<", firstIdOf("file", day + 1))
    .execute();
}

export async function removeCounts(tx: Tx, kind: CounterKind, before: Millis): Promise<void> {
  if (kind === "file") await lockFileCounts(tx);
  await tx.db
    .deleteFrom("counters")
    .where("id", ">=", `${kind} `)
    .where("id", "<", firstIdOf(kind, before))
    .execute();
}

/**
 * Lets one transaction at a time change the counts of files, since each may change rows that others have
 * just added. It locks a row that always exists: locks on rows of the day do not cover those that another
 * transaction adds meanwhile, so two transactions could wait for each other.
 */
const lockFileCounts = (tx: Tx): Promise<void> =>
  tx.lockRows(tx.db.selectFrom("migrations").select("version").where("version", "=", 1));
