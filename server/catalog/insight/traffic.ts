import { sql } from "kysely";
import type { HourlyTraffic, Millis } from "../../domain/records.ts";
import { hourText } from "../engine/ids.ts";
import type { Tx } from "../engine/tx.ts";

export async function addTraffic(tx: Tx, hours: readonly HourlyTraffic[]): Promise<void> {
  // In a fixed order, so that two transactions cannot deadlock.
  const sorted = hours.toSorted((a, b) => a.hour - b.hour);
  for (const { hour, requests, bytes, errors } of sorted) {
    await tx.db
      .insertInto("traffic")
      .values({ hour, requests, bytes, errors })
      .onConflict((conflict) =>
        conflict.column("hour").doUpdateSet({
          requests: sql<number>`traffic.requests + ${requests}`,
          bytes: sql<number>`traffic.bytes + ${bytes}`,
          errors: sql<number>`traffic.errors + ${errors}`,
        }),
      )
      .execute();
  }
  for (const each of sorted) await addErrors(tx, each);
}

async function addErrors(tx: Tx, { hour, errorsByStatus }: HourlyTraffic): Promise<void> {
  for (const { status, requests } of errorsByStatus.toSorted((a, b) => a.status - b.status)) {
    await tx.db
      .insertInto("traffic_errors")
      .values({ id: `${hourText(hour)} ${status}`, hour, status, requests })
      .onConflict((conflict) =>
        conflict
          .column("id")
          .doUpdateSet({ requests: sql<number>`traffic_errors.requests + ${requests}` }),
      )
      .execute();
  }
}

export async function removeTraffic(tx: Tx, before: Millis): Promise<void> {
  await tx.db.deleteFrom("traffic").where("hour", "<", before).execute();
  await tx.db.deleteFrom("traffic_errors").where("hour", "<", before).execute();
}
