import type { Migration } from "../migration.ts";

/** Two-step sign-in of an account: null where it is off. */
export const secondFactor: Migration = async (db, { text, integer }) => {
  await db.schema.alterTable("accounts").addColumn("totp_secret", text).execute();
  await db.schema.alterTable("accounts").addColumn("totp_step", integer).execute();
  await db.schema.alterTable("accounts").addColumn("totp_enabled_at", integer).execute();
  await db.schema.alterTable("accounts").addColumn("recovery_hashes", text).execute();
};
