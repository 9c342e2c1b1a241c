import { sql } from "kysely";
import { ROOT_KEY } from "../../../domain/names/name.ts";
import { COMMAND } from "../../../domain/tree-change.ts";
import { newId } from "../../engine/ids.ts";
import type { Migration } from "../migration.ts";

/** Scoped API keys, the digests and metadata of files, and the change feed. */
export const accessAndChanges: Migration = async (db, types) => {
  const { text, integer, tableEnd } = types;

  // Until now every key could do everything.
  await db.schema
    .alterTable("api_keys")
    .addColumn("actions", text, (column) => column.notNull().defaultTo("admin"))
    .execute();
  await db.schema
    .alterTable("api_keys")
    .addColumn("folder_ids", text, (column) => column.notNull().defaultTo(""))
    .execute();
  await db.schema.alterTable("api_keys").addColumn("parent_id", text).execute();
  await db.schema.createIndex("api_keys_parent_id").on("api_keys").columns(["parent_id"]).execute();

  await db.schema.alterTable("files").addColumn("sha256", text).execute();
  await db.schema.alterTable("files").addColumn("meta", text).execute();
  // Files from before have no digest yet.
  await db.schema
    .createIndex("files_sha256_id_walk")
    .on("files")
    .columns(["sha256", "id"])
    .where(sql.ref("sha256"), "is not", null)
    .execute();

  await db.schema
    .createTable("changes")
    .addColumn("seq", integer, types.feedNumber)
    .addColumn("kind", text, (column) => column.notNull())
    .addColumn("subject_id", text, (column) => column.notNull())
    .addColumn("key", text, (column) => column.notNull())
    .addColumn("from_key", text)
    .addColumn("actor", text, (column) => column.notNull())
    .addColumn("at", integer, (column) => column.notNull())
    .addColumn("data", text)
    .modifyEnd(tableEnd)
    .execute();
  await types.orderFeed(db);
  // For the keys that a folder had.
  await db.schema
    .createIndex("changes_folders")
    .on("changes")
    .columns(["seq"])
    .where(sql.ref("kind"), "in", sql`('folder.created', 'folder.moved')`)
    .execute();
  // A position always refers to an entry, so a feed has one from the start; no other feed has its id.
  const at = Date.now();
  await db
    .insertInto("changes")
    .values({
      seq: 1,
      kind: "feed.started",
      subject_id: newId(at),
      key: ROOT_KEY,
      from_key: null,
      actor: JSON.stringify(COMMAND),
      at,
      data: null,
    })
    .execute();
};
