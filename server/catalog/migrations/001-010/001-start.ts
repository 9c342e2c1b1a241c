import { ROOT_KEY } from "../../../domain/names/name.ts";
import { newId } from "../../engine/ids.ts";
import type { Migration } from "../migration.ts";

export const start: Migration = async (db, types) => {
  const { text, integer, tableEnd } = types;

  await db.schema
    .createTable("folders")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("parent_id", text, (column) => column.references("folders.id"))
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("key", text, (column) => column.notNull().unique())
    .addColumn("created_at", integer, (column) => column.notNull())
    .addColumn("updated_at", integer, (column) => column.notNull())
    .addUniqueConstraint("folders_parent_id_name", ["parent_id", "name"])
    .modifyEnd(tableEnd)
    .execute();

  await db.schema
    .createTable("files")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("folder_id", text, (column) => column.notNull().references("folders.id"))
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("mime_type", text, (column) => column.notNull())
    .addColumn("size", integer, (column) => column.notNull())
    .addColumn("visibility", text, (column) => column.notNull())
    .addColumn("blob_id", integer, (column) => column.notNull().unique())
    .addColumn("checksum", integer, (column) => column.notNull())
    .addColumn("modified_at", integer, (column) => column.notNull())
    .addColumn("created_at", integer, (column) => column.notNull())
    .addColumn("updated_at", integer, (column) => column.notNull())
    .addUniqueConstraint("files_folder_id_name", ["folder_id", "name"])
    .modifyEnd(tableEnd)
    .execute();
  // Every order of a list is a walk along one of these, or along the ids for the creation order.
  const walks = [
    ["name", "id"],
    ["size", "id"],
    ["updated_at", "id"],
    ["folder_id", "id"],
    ["folder_id", "size", "id"],
    ["folder_id", "updated_at", "id"],
  ] as const;
  for (const columns of walks) {
    await db.schema
      .createIndex(`files_${columns.join("_")}_walk`)
      .on("files")
      .columns([...columns])
      .execute();
  }

  await db.schema
    .createTable("blob_leases")
    .addColumn("block", integer, (column) => column.notNull().primaryKey())
    .addColumn("owner", text, (column) => column.notNull())
    .addColumn("heartbeat", integer, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createTable("condemned")
    .addColumn("blob_id", integer, (column) => column.notNull().primaryKey())
    .addColumn("condemned_at", integer, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createIndex("condemned_condemned_at_blob_id")
    .on("condemned")
    .columns(["condemned_at", "blob_id"])
    .execute();

  await db.schema
    .createTable("api_keys")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("hash", text, (column) => column.notNull().unique())
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("prefix", text, (column) => column.notNull())
    .addColumn("created_at", integer, (column) => column.notNull())
    .addColumn("last_used_at", integer)
    .addColumn("expires_at", integer)
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createTable("accounts")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("email", text, (column) => column.notNull().unique())
    .addColumn("password_hash", text, (column) => column.notNull())
    .addColumn("created_at", integer, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createTable("sessions")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("hash", text, (column) => column.notNull().unique())
    .addColumn("account_id", text, (column) => column.notNull().references("accounts.id"))
    .addColumn("user_agent", text, (column) => column.notNull())
    .addColumn("address", text, (column) => column.notNull())
    .addColumn("created_at", integer, (column) => column.notNull())
    .addColumn("last_seen_at", integer, (column) => column.notNull())
    .addColumn("expires_at", integer, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createIndex("sessions_account_id")
    .on("sessions")
    .columns(["account_id"])
    .execute();
  await db.schema
    .createTable("settings")
    .addColumn("name", text, (column) => column.notNull().primaryKey())
    .addColumn("value", text, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();

  const now = Date.now();
  await db
    .insertInto("folders")
    .values({
      id: newId(now),
      parent_id: null,
      name: "",
      key: ROOT_KEY,
      created_at: now,
      updated_at: now,
    })
    .execute();
};
