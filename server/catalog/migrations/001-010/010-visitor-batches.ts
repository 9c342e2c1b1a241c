import type { Migration } from "../migration.ts";

/** Which client started a batch through a link, and whether something was sent to it. */
export const visitorBatches: Migration = async (db, { text, integer }) => {
  await db.schema.alterTable("batches").addColumn("client", text).execute();
  await db.schema
    .alterTable("batches")
    .addColumn("used", integer, (column) => column.notNull().defaultTo(0))
    .execute();
};
