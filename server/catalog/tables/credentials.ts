import type { Generated } from "kysely";
import type { Millis, Role, SignInMethod } from "../../domain/records.ts";

export interface ApiKeysTable {
  id: string;
  hash: string;
  name: string;
  prefix: string;
  created_at: Millis;
  last_used_at: Millis | null;
  expires_at: Millis | null;
  /** What the key may do: names separated by commas. */
  actions: Generated<string>;
  /** `ApiKeyRecord.folderIds`, separated by commas. */
  folder_ids: Generated<string>;
  parent_id: string | null;
  /** `ApiKeyRecord.secretVersion`. */
  secret_version: Generated<number>;
  /** The hash of the secret before the current one. */
  old_hash: Generated<string | null>;
  old_hash_ends_at: Generated<Millis | null>;
  /** `ApiKeyRecord.accountId`. */
  account_id: Generated<string | null>;
}

export interface AccountsTable {
  id: string;
  email: string;
  password_hash: string;
  created_at: Millis;
  /** Encrypted; null: two-step sign-in is off, and so for the next three. */
  totp_secret: Generated<string | null>;
  /** The last time step whose code was used. */
  totp_step: Generated<number | null>;
  totp_enabled_at: Generated<Millis | null>;
  /** The hashes of the unused recovery codes, separated by commas. */
  recovery_hashes: Generated<string | null>;
  role: Generated<Role>;
  disabled_at: Generated<Millis | null>;
  /** JSON, a list of texts. */
  groups: Generated<string>;
}

export interface SessionsTable {
  id: string;
  hash: string;
  account_id: string;
  user_agent: string;
  address: string;
  created_at: Millis;
  last_seen_at: Millis;
  expires_at: Millis;
  method: Generated<SignInMethod>;
  /** JSON, a list of texts. */
  groups: Generated<string>;
}

export interface PasskeysTable {
  id: string;
  account_id: string;
  credential_id: string;
  public_key: string;
  counter: number;
  /** Separated by commas. */
  transports: string;
  can_sync: 0 | 1;
  is_synced: 0 | 1;
  host: string;
  name: string;
  created_at: Millis;
  last_used_at: Millis | null;
}

/** Challenges that passkeys have signed, which are not accepted again. */
export interface UsedChallengesTable {
  /** SHA-256. */
  hash: string;
  /** When it is not accepted anyway. */
  expires_at: Millis;
}
