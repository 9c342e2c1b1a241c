import type { Migration } from "../migration.ts";

/** Lets folder keys be longer than an index entry of the engine. */
export const longKeys: Migration = async (db, { indexKeys }) => indexKeys(db);
