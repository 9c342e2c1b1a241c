import type { Migration } from "./migration.ts";

/** Where an index cannot hold the longest keys, others take the place of the one on keys. */
export const longKeys: Migration = async (db, { indexKeys }) => indexKeys(db);
