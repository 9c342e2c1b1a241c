import { sql } from "kysely";
import type { KeyDayTraffic, Millis } from "../../domain/records.ts";
import { chunks } from "../engine/chunks.ts";
import { dayText } from "../engine/ids.ts";
import type { Tx } from "../engine/tx.ts";

/** The parameters of a row. */
const COLUMNS = 5;

export async function addKeyTraffic(tx: Tx, days: readonly KeyDayTraffic[]): Promise<void> {
  const rows = days.map(({ day, keyId, requests, bytes, errors }) => ({
    id: `${dayText(day)} ${keyId}`,
    key_id: keyId,
    requests,
    bytes,
    errors,
  }));
  // In a fixed order, so that two transactions cannot deadlock.
  const sorted = rows.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  for (const chunk of chunks(sorted, 500 / COLUMNS)) {
    await tx.db
      .insertInto("key_traffic")
      .values(chunk)
      .onConflict((conflict) =>
        conflict.column("id").doUpdateSet({
          requests: sql<number>`key_traffic.requests + excluded.requests`,
          bytes: sql<number>`key_traffic.bytes + excluded.bytes`,
          errors: sql<number>`key_traffic.errors + excluded.errors`,
        }),
      )
      .execute();
  }
}

export async function removeKeyTraffic(tx: Tx, before: Millis): Promise<void> {
  await tx.db.deleteFrom("key_traffic").where("id", "<", dayText(before)).execute();
}
