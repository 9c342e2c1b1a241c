import type { Kysely } from "kysely";
import {
  type AccountRecord,
  type ApiKeyRecord,
  KEY_ACTIONS,
  type Millis,
  type PasskeyRecord,
  type SessionRecord,
} from "../../domain/records.ts";
import type { Schema } from "../engine/schema.ts";
import type { SecondFactorRecord } from "../port/credentials.ts";

/** All API keys, each to be read by `toApiKey`. */
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
      "actions",
      "folder_ids as folderIds",
      "parent_id as parentId",
      "secret_version as secretVersion",
      "old_hash_ends_at as oldSecretEndsAt",
      "account_id as accountId",
    ]);
}

interface ApiKeyRow extends Omit<ApiKeyRecord, "actions" | "folderIds" | "accountId"> {
  readonly actions: string;
  readonly folderIds: string;
  readonly accountId: string | null;
}

export function toApiKey({ actions, folderIds, accountId, ...key }: ApiKeyRow): ApiKeyRecord {
  const names: readonly string[] = actions.split(",");
  return {
    ...key,
    ...(accountId === null ? {} : { accountId }),
    actions: KEY_ACTIONS.filter((action) => names.includes(action)),
    folderIds: folderIds === "" ? [] : folderIds.split(","),
  };
}

/** All accounts, each to be read by `toAccount`. */
export function selectAccounts(db: Kysely<Schema>) {
  return db
    .selectFrom("accounts")
    .select([
      "id",
      "email",
      "password_hash as passwordHash",
      "created_at as createdAt",
      "role",
      "disabled_at as disabledAt",
      "groups",
      "totp_enabled_at as secondFactorAt",
    ]);
}

interface WithGroups {
  readonly groups: string;
}

interface AccountRow extends Omit<AccountRecord, "groups" | "hasSecondFactor">, WithGroups {
  readonly secondFactorAt: Millis | null;
}

export const toAccount = ({ secondFactorAt, groups, ...account }: AccountRow): AccountRecord => ({
  ...account,
  groups: readGroups(groups),
  hasSecondFactor: secondFactorAt !== null,
});

export const toSession = (row: Omit<SessionRecord, "groups"> & WithGroups): SessionRecord => ({
  ...row,
  groups: readGroups(row.groups),
});

const readGroups = (json: string): string[] => (json === "[]" ? [] : JSON.parse(json));

/** All sessions, each to be read by `toSession`. */
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
      "method",
      "groups",
    ]);
}

/** All passkeys, each to be read by `toPasskey`. */
export function selectPasskeys(db: Kysely<Schema>) {
  return db
    .selectFrom("passkeys")
    .select([
      "id",
      "account_id as accountId",
      "credential_id as credentialId",
      "public_key as publicKey",
      "counter",
      "transports",
      "can_sync as canSync",
      "is_synced as isSynced",
      "host",
      "name",
      "created_at as createdAt",
      "last_used_at as lastUsedAt",
    ]);
}

interface PasskeyRow extends Omit<PasskeyRecord, "transports" | "canSync" | "isSynced"> {
  readonly transports: string;
  readonly canSync: 0 | 1;
  readonly isSynced: 0 | 1;
}

export function toPasskey({
  transports,
  canSync,
  isSynced,
  ...passkey
}: PasskeyRow): PasskeyRecord {
  return {
    ...passkey,
    transports: transports === "" ? [] : transports.split(","),
    canSync: canSync === 1,
    isSynced: isSynced === 1,
  };
}

/** The second factor in the columns of an account. */
export function toSecondFactor(row: {
  readonly sealedSecret: string | null;
  readonly lastStep: number | null;
  readonly enabledAt: number | null;
  readonly hashes: string | null;
}): SecondFactorRecord | undefined {
  const { sealedSecret, lastStep, enabledAt, hashes } = row;
  if (sealedSecret === null || enabledAt === null) return undefined;
  const recoveryHashes = hashes === null || hashes === "" ? [] : hashes.split(",");
  return { sealedSecret, lastStep, enabledAt, recoveryHashes };
}

/**
 * The text that is stored in place of the hash of an API key with limited rights. Version 0.1.0 knows no limits: if it
 * still runs on the same database, it must not find such a key by its hash.
 */
export const limitedKeyHash = (hash: string): string => `limited ${hash}`;
