import type { AccountRecord, Key, KeyAction, Millis, Role } from "./records.ts";

/** An account that nobody has used. */
export const newAccount = (
  account: Pick<AccountRecord, "id" | "email" | "passwordHash" | "createdAt" | "role">,
): AccountRecord => ({ ...account, disabledAt: null, groups: [], hasSecondFactor: false });

/** The actions of grants: without those that concern keys and the instance as a whole. */
export const GRANT_ACTIONS = [
  "list",
  "read",
  "write",
  "discard",
  "delete",
  "share",
] as const satisfies readonly KeyAction[];
export type GrantAction = (typeof GRANT_ACTIONS)[number];

/** Whom a grant is for. */
export type Grantee =
  | { readonly accountId: string; readonly group: null }
  /** A group of the provider through which people sign in. */
  | { readonly accountId: null; readonly group: string };

/** The actions that members may have in a folder and everything in it. */
export type GrantRecord = Grantee & {
  readonly id: string;
  readonly folderId: string;
  /** The folder's current key. null: it is in the trash, so the grant reaches nothing. */
  readonly folderKey: Key | null;
  readonly actions: readonly GrantAction[];
  readonly createdAt: Millis;
};

/** A grant that somebody gets who accepts an invitation. */
export interface InvitedGrant {
  readonly folderId: string;
  readonly actions: readonly GrantAction[];
}

/** An invitation that nobody has accepted. */
export interface InviteRecord {
  readonly id: string;
  readonly role: Role;
  readonly grants: readonly InvitedGrant[];
  /** The account of the owner who made it, and with which it ends; null: a command did. */
  readonly makerId: string | null;
  /** The email address of that owner. */
  readonly makerName: string | null;
  readonly createdAt: Millis;
  readonly expiresAt: Millis;
}

/** An account at a provider through which people sign in. */
export interface IdentityRecord {
  readonly accountId: string;
  readonly issuer: string;
  /** The claim `sub`. */
  readonly subject: string;
  readonly createdAt: Millis;
}
