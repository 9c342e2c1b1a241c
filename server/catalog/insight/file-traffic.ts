import { sql } from "kysely";
import type { FileDayTraffic, Millis } from "../../domain/records.ts";
import { chunks } from "../engine/chunks.ts";
import { dayText } from "../engine/ids.ts";
import type { Tx } from "../engine/tx.ts";
import { MAX_FILES_PER_DAY } from "../port/insight.ts";

/** The parameters of a row. */
const COLUMNS = 5;

const DAY = 24 * 3_600_000;

export async function addFileTraffic(
  tx: Tx,
  day: Millis,
  files: readonly FileDayTraffic[],
): Promise<void> {
  await lockFileTraffic(tx);
  const rows = files.map(({ fileId, requests, bytes, weight }) => ({
    id: `${dayText(day)} ${fileId}`,
    file_id: fileId,
    requests,
    bytes,
    weight,
  }));
  const sorted = rows.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  for (const chunk of chunks(sorted, 500 / COLUMNS)) {
    await tx.db
      .insertInto("file_traffic")
      .values(chunk)
      .onConflict((conflict) =>
        conflict.column("id").doUpdateSet({
          requests: sql<number>`file_traffic.requests + excluded.requests`,
          bytes: sql<number>`file_traffic.bytes + excluded.bytes`,
          weight: sql<number>`file_traffic.weight + excluded.weight`,
        }),
      )
      .execute();
  }
  await keepHeaviest(tx, day);
}

/** As in `lib/frequent-items.ts`, for the rows of a day. */
async function keepHeaviest(tx: Tx, day: Millis): Promise<void> {
  const rows = await selectDay(tx, day)
    .select(["id", "weight"])
    .orderBy("weight", "desc")
    .orderBy("requests", "desc")
    .orderBy("id")
    .execute();
  const others = rows.slice(MAX_FILES_PER_DAY);
  const heaviest = others[0];
  if (heaviest === undefined) return;
  for (const chunk of chunks(others.map(({ id }) => id))) {
    await tx.db.deleteFrom("file_traffic").where("id", "in", chunk).execute();
  }
  await tx.db
    .updateTable("file_traffic")
    .set({ weight: sql<number>`weight - ${heaviest.weight}` })
    .where("id", ">=", dayText(day))
    .where("id", "<", dayText(day + DAY))
    .execute();
}

export async function removeFileTraffic(tx: Tx, before: Millis): Promise<void> {
  await lockFileTraffic(tx);
  await tx.db.deleteFrom("file_traffic").where("id", "<", dayText(before)).execute();
}

/**
 * Lets one transaction at a time change the counts, since each may change rows that others have just
 * added. It locks a row that always exists: locks on rows of the day do not cover those that another
 * transaction adds meanwhile, so two transactions could wait for each other.
 */
const lockFileTraffic = (tx: Tx): Promise<void> =>
  tx.lockRows(tx.db.selectFrom("migrations").select("version").where("version", "=", 1));

const selectDay = (tx: Tx, day: Millis) =>
  tx.db
    .selectFrom("file_traffic")
    .where("id", ">=", dayText(day))
    .where("id", "<", dayText(day + DAY));
