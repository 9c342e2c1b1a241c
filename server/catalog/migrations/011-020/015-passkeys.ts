import type { Migration } from "../migration.ts";

/** Passkeys, and the challenges that were used with them. */
export const passkeys: Migration = async (db, { text, integer, tableEnd }) => {
  await db.schema
    .createTable("passkeys")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("account_id", text, (column) => column.notNull().references("accounts.id"))
    .addColumn("credential_id", text, (column) => column.notNull().unique())
    .addColumn("public_key", text, (column) => column.notNull())
    .addColumn("counter", integer, (column) => column.notNull())
    .addColumn("transports", text, (column) => column.notNull())
    .addColumn("can_sync", integer, (column) => column.notNull())
    .addColumn("is_synced", integer, (column) => column.notNull())
    .addColumn("host", text, (column) => column.notNull())
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("created_at", integer, (column) => column.notNull())
    .addColumn("last_used_at", integer)
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createIndex("passkeys_account_id")
    .on("passkeys")
    .columns(["account_id"])
    .execute();
  await db.schema
    .createTable("used_challenges")
    .addColumn("hash", text, (column) => column.notNull().primaryKey())
    .addColumn("expires_at", integer, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createIndex("used_challenges_expires_at")
    .on("used_challenges")
    .columns(["expires_at"])
    .execute();
};
