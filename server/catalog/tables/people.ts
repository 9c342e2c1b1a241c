import type { Millis, Role } from "../../domain/records.ts";

/** Accounts at providers, each of one account here. */
export interface IdentitiesTable {
  id: string;
  issuer: string;
  subject: string;
  account_id: string;
  created_at: Millis;
}

/** `GrantRecord`; exactly one of `account_id` and `group_name` is set. */
export interface GrantsTable {
  id: string;
  account_id: string | null;
  group_name: string | null;
  folder_id: string;
  /** Separated by commas. */
  actions: string;
  created_at: Millis;
}

/** `InviteRecord`. */
export interface InvitesTable {
  id: string;
  token_hash: string;
  role: Role;
  /** JSON, a list of `InvitedGrant`. */
  grants: string;
  maker_id: string | null;
  maker_name: string | null;
  created_at: Millis;
  expires_at: Millis;
}
