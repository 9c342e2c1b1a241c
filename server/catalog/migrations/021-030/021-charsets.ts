import type { Migration } from "../migration.ts";

/** The encoding of a text: see `Charset`. */
export const charsets: Migration = async (db, { text }) => {
  for (const table of ["files", "versions", "batch_members"] as const) {
    await db.schema.alterTable(table).addColumn("charset", text).execute();
  }
};
