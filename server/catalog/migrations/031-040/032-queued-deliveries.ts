import { sql } from "kysely";
import type { Migration } from "../migration.ts";

/** The few events that wait are found without reading all deliveries. */
export const queuedDeliveries: Migration = async (db) => {
  await db.schema
    .createIndex("deliveries_queued")
    .on("deliveries")
    .columns(["webhook_id", "id"])
    .where(sql`state`, "<>", sql`'delivered'`)
    .where(sql`data`, "is not", null)
    .execute();
};
