import { sql } from "kysely";
import type { Millis, RequestedFile } from "../../domain/records.ts";
import { giveWay } from "../../lib/time-slices.ts";
import { chunks } from "../engine/chunks.ts";
import type { Engine } from "../engine/engine.ts";
import type { Tx } from "../engine/tx.ts";
import {
  type Count,
  type CounterKind,
  MAX_FILES_PER_DAY,
  type NewCount,
  type Totals,
} from "../port/counters.ts";
import { selectFiles } from "../records/select-records.ts";
import type { CountersTable } from "../tables/insight.ts";

/** The parameters of a row. */
const COLUMNS = 6;

/** Files in one statement that looks for those that still exist. */
const FILES = 100;

/** The row of a count. Its id orders the rows of a kind by period and subject. */
function rowOf(kind: CounterKind, count: NewCount): CountersTable {
  const { period, subject, requests, bytes, errors = 0, weight = 0 } = count;
  return { id: `${firstIdOf(kind, period)} ${subject}`, subject, requests, bytes, errors, weight };
}

const periodOf = (id: string): Millis => Date.parse(id.split(" ")[1] ?? "");

/** Not greater than the ids of a kind from periods that began at a moment or later, greater than all earlier ones. */
const firstIdOf = (kind: CounterKind, moment: Millis): string =>
  `${kind} ${new Date(moment).toISOString()}`;

/** Greater than all ids of a kind: the character after the space. */
const endOfIds = (kind: CounterKind): string => `${kind}!`;

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

export function createCounterQueries({ db }: Engine) {
  const selectSince = (kind: CounterKind, since: Millis) =>
    db
      .selectFrom("counters")
      .where("id", ">=", firstIdOf(kind, since))
      .where("id", "<", endOfIds(kind));

  async function totals(kind: CounterKind, since: Millis): Promise<Totals[]> {
    const rows = await selectSince(kind, since)
      .select(({ fn }) => [
        "subject",
        fn.sum<number>("requests").as("requests"),
        fn.sum<number>("bytes").as("bytes"),
        fn.sum<number>("errors").as("errors"),
      ])
      .groupBy("subject")
      .orderBy("requests", "desc")
      .orderBy("subject")
      .execute();
    // Engines may return sums as text, since they can exceed a number.
    return rows.map(({ subject, requests, bytes, errors }) => ({
      subject,
      requests: Number(requests),
      bytes: Number(bytes),
      errors: Number(errors),
    }));
  }

  return {
    async counts(kind: CounterKind, since: Millis): Promise<Count[]> {
      const rows = await selectSince(kind, since)
        .select(["id", "subject", "requests", "bytes", "errors"])
        .orderBy("id")
        .execute();
      return rows.map(({ id, ...counts }) => ({ period: periodOf(id), ...counts }));
    },
    totals,
    async requestedFiles(since: Millis, limit: number): Promise<RequestedFile[]> {
      const found: RequestedFile[] = [];
      for (const counts of chunks(await totals("file", since), FILES)) {
        // All of them may be deleted files, so other work of the process runs in between.
        await giveWay();
        const ids = counts.map(({ subject }) => subject);
        const files = await selectFiles(db).where("files.id", "in", ids).execute();
        const byId = new Map(files.map((file) => [file.id, file]));
        for (const { subject, requests, bytes } of counts) {
          const file = byId.get(subject);
          if (file !== undefined) found.push({ file, requests, bytes });
          if (found.length === limit) return found;
        }
      }
      return found;
    },
  };
}
