import type {
  GrantAction,
  Grantee,
  GrantRecord,
  IdentityRecord,
  InviteRecord,
} from "../../domain/accounts.ts";
import type { Ref } from "../../domain/callers/ref.ts";
import type { AccountRecord, Millis, Role } from "../../domain/records.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";

/** Accounts of several people, what members may do where, invitations, and accounts at providers. */
export interface People {
  /** Oldest first. */
  accounts(): Promise<ListedAccount[]>;
  /** Whether there is more than one account, an open invitation or a grant. */
  hasOthers(now: Millis): Promise<boolean>;
  /**
   * Adds an account. Faults: "conflict": its address or the identity has an account; "forbidden": its maker is not an
   * owner any more.
   */
  addAccount(account: AccountRecord, options?: AddAccountOptions): Promise<void>;
  /**
   * Changes the role, or disables or enables the account. A disabled account's sessions end, and what it has made
   * reaches nothing until it is enabled. The invitations of who is no owner any more are removed. Faults: "not_found"; "conflict" with `last_owner`.
   */
  changeAccount(change: AccountChange): Promise<AccountRecord>;
  /**
   * Removes the account with its sessions, passkeys, identities, grants, invitations, open uploads, and API keys, of
   * which it returns the ids. Faults: same as `changeAccount`.
   */
  removeAccount(id: string): Promise<{ readonly account: AccountRecord; readonly keys: string[] }>;
  /**
   * Turns two-step sign-in off, removes the passkeys and ends all sessions, in one transaction. Faults: "not_found";
   * "forbidden": `byOwner` is not the id of an owner.
   */
  resetSecondFactor(accountId: string, byOwner?: string): Promise<void>;

  /** All grants, oldest first. */
  grants(): Promise<GrantRecord[]>;
  /** The grants of an account, and of these groups, oldest first. */
  grantsOf(member: { accountId: string; groups: readonly string[] }): MaybePromise<GrantRecord[]>;
  /** Faults: "not_found": the folder or the account; "conflict": there are too many grants. */
  addGrant(grant: NewGrant): Promise<GrantRecord>;
  /** Fault "not_found". */
  changeGrant(change: { id: string; actions: readonly GrantAction[] }): Promise<GrantRecord>;
  /** undefined: there is no such grant. */
  removeGrant(id: string): Promise<GrantRecord | undefined>;

  /** Newest first, without expired ones. */
  invites(now: Millis): Promise<InviteRecord[]>;
  /** Includes expired invitations. */
  inviteByHash(tokenHash: string): Promise<InviteRecord | undefined>;
  /**
   * Removes those that have expired. Faults: "not_found": the folder of a grant; "conflict": there are too many;
   * "forbidden": its maker is no owner any more.
   */
  addInvite(invite: NewInvite): Promise<InviteRecord>;
  /** undefined: there is no such invitation. */
  removeInvite(id: string): Promise<InviteRecord | undefined>;
  /**
   * Ends the invitation and adds the account with the role and the grants of it; grants whose folder was destroyed
   * are left out. Faults: "gone": it was accepted, removed, or has expired; "conflict": as for `addAccount`.
   */
  acceptInvite(acceptance: Acceptance): Promise<AccountRecord>;

  accountByIdentity(issuer: string, subject: string): Promise<AccountRecord | undefined>;
  identitiesOf(accountId: string): Promise<IdentityRecord[]>;
  /** Faults: "not_found": the account; "conflict": the identity has an account. */
  addIdentity(identity: IdentityRecord): Promise<void>;
  /** With the last one, the account loses the groups that it had there. false: the account has no such identity. */
  removeIdentity(identity: Omit<IdentityRecord, "createdAt">): Promise<boolean>;
}

export interface ListedAccount extends AccountRecord {
  /** Their number. */
  readonly passkeys: number;
  /** How many accounts at providers open it. */
  readonly identities: number;
  /** When one of its sessions was last used; null: it has none. */
  readonly lastSeenAt: Millis | null;
}

export interface AddAccountOptions {
  readonly identity?: Omit<IdentityRecord, "accountId" | "createdAt"> | undefined;
  /** The id of the owner who adds it. */
  readonly byOwner?: string | undefined;
}

export interface AccountChange {
  readonly id: string;
  readonly role?: Role | undefined;
  /** null enables it. */
  readonly disabledAt?: Millis | null | undefined;
}

export type NewGrant = Grantee & {
  readonly id: string;
  readonly folder: Ref;
  readonly actions: readonly GrantAction[];
  readonly createdAt: Millis;
};

export interface NewInvite extends Omit<InviteRecord, "grants"> {
  readonly tokenHash: string;
  readonly grants: readonly WantedGrant[];
}

/** A grant for the account that accepts an invitation. */
export interface WantedGrant {
  readonly folder: Ref;
  readonly actions: readonly GrantAction[];
}

export interface Acceptance {
  readonly tokenHash: string;
  readonly now: Millis;
  readonly account: Pick<AccountRecord, "id" | "email" | "passwordHash" | "createdAt">;
  readonly identity?: Omit<IdentityRecord, "accountId" | "createdAt"> | undefined;
}
