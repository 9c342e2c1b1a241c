import type { Migration } from "./migration.ts";

/** Which client started a batch through a link. */
export const visitorBatches: Migration = async (db, { text }) => {
  await db.schema.alterTable("batches").addColumn("client", text).execute();
};
