import { sql } from "kysely";
import type { HourlyTraffic, Millis } from "../../rules/records.ts";
import type { Tx } from "../tx.ts";

export async function addTraffic(tx: Tx, hours: readonly HourlyTraffic[]): Promise<void> {
  // In a fixed order, so that two transactions cannot deadlock.
  for (const { hour, requests, bytes, errors } of hours.toSorted((a, b) => a.hour - b.hour)) {
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
}

export async function removeTraffic(tx: Tx, before: Millis): Promise<void> {
  await tx.db.deleteFrom("traffic").where("hour", "<", before).execute();
}
