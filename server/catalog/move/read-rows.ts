import type { Kysely, SqlBool } from "kysely";
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
  files: { key: "id", read: readFiles },
  accounts: allOf("accounts", "id"),
  identities: allOf("identities", "id"),
  grants: { key: "id", read: readGrants },
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
  versions: { key: "id", read: readVersions },
  undo_steps: allOf("undo_steps", "id"),
  former_keys: allOf("former_keys", "id"),
  quotas: allOf("quotas", "folder_id"),
};

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

function readFiles(db: Kysely<Schema>, after: Value | undefined): Promise<Row[]> {
  return db
    .selectFrom("files")
    .innerJoin("folders", "folders.id", "files.folder_id")
    .selectAll("files")
    .where(isKept)
    .where(isAfter("files.id", after))
    .orderBy("files.id")
    .limit(BATCH)
    .execute();
}

/** Those of removed folders go with their files. */
function readVersions(db: Kysely<Schema>, after: Value | undefined): Promise<Row[]> {
  return db
    .selectFrom("versions")
    .innerJoin("files", "files.id", "versions.file_id")
    .innerJoin("folders", "folders.id", "files.folder_id")
    .selectAll("versions")
    .where(isKept)
    .where(isAfter("versions.id", after))
    .orderBy("versions.id")
    .limit(BATCH)
    .execute();
}

/** The grants of removed folders go with them. */
function readGrants(db: Kysely<Schema>, after: Value | undefined): Promise<Row[]> {
  return db
    .selectFrom("grants")
    .innerJoin("folders", "folders.id", "grants.folder_id")
    .selectAll("grants")
    .where(isKept)
    .where(isAfter("grants.id", after))
    .orderBy("grants.id")
    .limit(BATCH)
    .execute();
}

function allOf(table: PersistentTable, key: string, condition = sql<SqlBool>`1 = 1`) {
  const read: ReadBatch = async (db, after) => {
    const { rows } = await sql<Row>`select * from ${sql.table(table)}
      where ${condition} and ${isAfter(key, after)} order by ${sql.ref(key)} limit ${BATCH}`.execute(
      db,
    );
    return rows;
  };
  return { key, read };
}

const isAfter = (column: string, value: Value | undefined) =>
  value === undefined ? sql<SqlBool>`1 = 1` : sql<SqlBool>`${sql.ref(column)} > ${value}`;
