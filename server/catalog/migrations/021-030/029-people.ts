import type { Migration } from "../migration.ts";

/** Several accounts: their roles, what members may do where, invitations, and accounts at providers. */
export const people: Migration = async (db, { text, integer, tableEnd }) => {
  // Until now there was one account, which could do everything.
  await db.schema
    .alterTable("accounts")
    .addColumn("role", text, (column) => column.notNull().defaultTo("owner"))
    .execute();
  await db.schema.alterTable("accounts").addColumn("disabled_at", integer).execute();
  await db.schema
    .alterTable("accounts")
    .addColumn("groups", text, (column) => column.notNull().defaultTo("[]"))
    .execute();
  await db.schema
    .alterTable("sessions")
    .addColumn("method", text, (column) => column.notNull().defaultTo("password"))
    .execute();
  await db.schema
    .alterTable("sessions")
    .addColumn("groups", text, (column) => column.notNull().defaultTo("[]"))
    .execute();
  await db.schema.alterTable("api_keys").addColumn("account_id", text).execute();
  await db.schema
    .createIndex("api_keys_account_id")
    .on("api_keys")
    .columns(["account_id"])
    .execute();

  await db.schema
    .createTable("identities")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("issuer", text, (column) => column.notNull())
    .addColumn("subject", text, (column) => column.notNull())
    .addColumn("account_id", text, (column) => column.notNull().references("accounts.id"))
    .addColumn("created_at", integer, (column) => column.notNull())
    .addUniqueConstraint("identities_issuer_subject", ["issuer", "subject"])
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createIndex("identities_account_id")
    .on("identities")
    .columns(["account_id"])
    .execute();

  await db.schema
    .createTable("grants")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("account_id", text, (column) => column.references("accounts.id"))
    .addColumn("group_name", text)
    .addColumn("folder_id", text, (column) =>
      column.notNull().references("folders.id").onDelete("cascade"),
    )
    .addColumn("actions", text, (column) => column.notNull())
    .addColumn("created_at", integer, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  for (const column of ["account_id", "group_name", "folder_id"] as const) {
    await db.schema.createIndex(`grants_${column}`).on("grants").columns([column]).execute();
  }

  await db.schema
    .createTable("invites")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("token_hash", text, (column) => column.notNull().unique())
    .addColumn("role", text, (column) => column.notNull())
    .addColumn("grants", text, (column) => column.notNull())
    .addColumn("maker_id", text)
    .addColumn("maker_name", text)
    .addColumn("created_at", integer, (column) => column.notNull())
    .addColumn("expires_at", integer, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
};
