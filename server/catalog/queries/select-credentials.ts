import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";

/** API keys in the shape of `ApiKeyRecord`, to be narrowed down. */
export function selectApiKeys(db: Kysely<Schema>) {
  return db
    .selectFrom("api_keys")
    .select([
      "id",
      "name",
      "prefix",
      "created_at as createdAt",
      "last_used_at as lastUsedAt",
      "expires_at as expiresAt",
    ]);
}

/** Accounts in the shape of `AccountRecord`, to be narrowed down. */
export function selectAccounts(db: Kysely<Schema>) {
  return db
    .selectFrom("accounts")
    .select(["id", "email", "password_hash as passwordHash", "created_at as createdAt"]);
}

/** Sessions in the shape of `SessionRecord`, to be narrowed down. */
export function selectSessions(db: Kysely<Schema>) {
  return db
    .selectFrom("sessions")
    .select([
      "id",
      "account_id as accountId",
      "user_agent as userAgent",
      "address",
      "created_at as createdAt",
      "last_seen_at as lastSeenAt",
      "expires_at as expiresAt",
    ]);
}
