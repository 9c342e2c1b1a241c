import type { Kysely, RawBuilder, SqlBool } from "kysely";
import { sql } from "kysely";
import type { Key } from "../../domain/records.ts";
import type { Schema } from "../engine/schema.ts";
import {
  type CatalogRows,
  DISK_SETTING,
  type PersistentTable,
  type Row,
  UNPUBLISHED,
} from "../move-port.ts";
import { isKept } from "../records/outside-tree.ts";

const BATCH = 1000;

type Value = string | number | null;

/** Reads the rows after the one with this key; undefined: from the first. */
type ReadBatch = (db: Kysely<Schema>, after: Value | undefined) => Promise<Row[]>;

export const createCatalogRows = (db: Kysely<Schema>): CatalogRows => ({
  async *rows(table) {
    const { key, read } = tables[table];
    for (let after: Value | undefined; ; ) {
      const rows = await read(db, after);
      if (rows.length > 0) yield rows;
      if (rows.length < BATCH) return;
      after = rows.at(-1)?.[key];
    }
  },
});

const tables: {
  readonly [T in PersistentTable]: { readonly key: string; readonly read: ReadBatch };
} = {
  // By key, so that a folder comes after its ancestors.
  folders: { key: "key", read: readFolders },
  files: allInFolders("files", sql`inner join folders on folders.id = files.folder_id`),
  accounts: allOf("accounts", "id"),
  identities: allOf("identities", "id"),
  grants: allInFolders("grants", sql`inner join folders on folders.id = grants.folder_id`),
  invites: allOf("invites", "id"),
  sessions: allOf("sessions", "id"),
  passkeys: allOf("passkeys", "id"),
  used_challenges: allOf("used_challenges", "hash"),
  api_keys: allOf("api_keys", "id"),
  links: allOf("links", "id"),
  webhooks: allOf("webhooks", "id"),
  deliveries: allOf("deliveries", "id"),
  settings: allOf("settings", "name", sql<SqlBool>`name not in (${UNPUBLISHED}, ${DISK_SETTING})`),
  activity: allOf("activity", "id"),
  counters: allOf("counters", "id"),
  trash_deletions: allOf("trash_deletions", "undo_id"),
  trash_items: allOf("trash_items", "subject_id"),
  trash_folders: allOf("trash_folders", "id"),
  versions: allInFolders(
    "versions",
    sql`inner join files on files.id = versions.file_id
      inner join folders on folders.id = files.folder_id`,
  ),
  undo_steps: allOf("undo_steps", "id"),
  former_keys: allOf("former_keys", "id"),
  quotas: allOf("quotas", "folder_id"),
};

/** Built with Kysely, whose compiler for PostgreSQL compares long keys by the beginning that is indexed. */
function readFolders(db: Kysely<Schema>, after: Value | undefined): Promise<Row[]> {
  return db
    .selectFrom("folders")
    .selectAll()
    .where(isKept)
    .$if(after !== undefined, (query) => query.where("folders.key", ">", sql<Key>`${after}`))
    .orderBy("folders.key")
    .limit(BATCH)
    .execute();
}

/** All rows of a table that meet the condition, in order of the key. */
function allOf(
  table: PersistentTable,
  key: string,
  condition = sql<SqlBool>`1 = 1`,
  joins = sql``,
) {
  const column = sql.ref(`${table}.${key}`);
  const read: ReadBatch = async (db, after) => {
    const isAfter = after === undefined ? sql`1 = 1` : sql`${column} > ${after}`;
    const { rows } = await sql<Row>`select ${sql.table(table)}.* from ${sql.table(table)} ${joins}
      where ${condition} and ${isAfter} order by ${column} limit ${BATCH}`.execute(db);
    return rows;
  };
  return { key, read };
}

/** Rows of a table that belong to folders. Rows of folders that were removed are left out. */
function allInFolders(table: PersistentTable, joins: RawBuilder<unknown>) {
  return allOf(table, "id", isKept, joins);
}
