import type { Credentials } from "../../catalog/port/credentials.ts";
import type { NewGrant, People, WantedGrant } from "../../catalog/port/people.ts";
import {
  type Grantee,
  type GrantRecord,
  type InviteRecord,
  newAccount,
} from "../../domain/accounts.ts";
import { rejectCommonPassword } from "../../domain/common-password.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { AccountRecord, Millis, Role } from "../../domain/records.ts";
import { uuidV7 } from "../../runtime/uuid.ts";
import { type Accounts, normalizeEmail } from "../accounts.ts";
import type { Passwords } from "../passwords.ts";
import { hashSecret, randomSecret } from "../secrets.ts";

export type { ListedAccount } from "../../catalog/port/people.ts";

/** What owners do with the accounts of others. The caller has checked that it is an owner. */
export interface Members
  extends Pick<
    People,
    | "accounts"
    | "changeAccount"
    | "removeAccount"
    | "grants"
    | "changeGrant"
    | "removeInvite"
    | "removeGrant"
    | "identitiesOf"
  > {
  /** Without a password, makes one, which it returns. Faults: "conflict": the address has an account; "invalid": a common password. */
  create(account: NewMember): Promise<{ account: AccountRecord; password: string | null }>;
  /**
   * Sets a random password, which it returns, or removes the second factor and the passkeys, or both; ends all
   * sessions. Fault "not_found".
   */
  reset(reset: MemberReset): Promise<{ account: AccountRecord; password: string | null }>;
  /** Faults: "not_found": the account or the folder; "invalid": the account is an owner's; "conflict": too many. */
  grant(grant: MemberGrant): Promise<GrantRecord>;
  /** Whether there is more than one account, an open invitation or a grant. */
  hasOthers(): Promise<boolean>;
  /** Open ones, newest first. */
  invites(): Promise<InviteRecord[]>;
  /** The token cannot be read again. Faults: "not_found": a folder; "conflict": too many. */
  invite(invite: NewInvite): Promise<{ invite: InviteRecord; token: string }>;
  /** Fault "gone": it was accepted or withdrawn, or has expired. */
  findInvite(token: string): Promise<InviteRecord>;
  /** Faults: "gone" as above; "conflict": the address has an account; "invalid": a common password. */
  accept(acceptance: { token: string; email: string; password: string }): Promise<AccountRecord>;
}

export type MemberGrant = Grantee & Pick<NewGrant, "folder" | "actions">;

export interface NewMember {
  readonly email: string;
  readonly role: Role;
  readonly password?: string | undefined;
  /** The id of the owner who creates it. Default: a command does. */
  readonly byOwner?: string | undefined;
}

export interface MemberReset {
  readonly id: string;
  readonly password: boolean;
  readonly secondFactor: boolean;
  /** The id of the owner who does it. */
  readonly byOwner: string;
}

export interface NewInvite {
  readonly role: Role;
  readonly grants: readonly WantedGrant[];
  /** In seconds. Default: 7 days. */
  readonly expiresIn?: number | undefined;
  /** The owner; null: a command. */
  readonly maker: Pick<AccountRecord, "id" | "email"> | null;
}

export interface MembersDeps {
  readonly people: People & Pick<Credentials, "accountById">;
  readonly accounts: Pick<Accounts, "resetPassword">;
  readonly passwords: Passwords;
  readonly now: () => Millis;
}

const INVITE_SECONDS = 7 * 24 * 3600;

export function createMembers({ people, accounts, passwords, now }: MembersDeps): Members {
  async function findInvite(token: string): Promise<InviteRecord> {
    const invite = await people.inviteByHash(hashSecret(token));
    if (invite !== undefined && now() < invite.expiresAt) return invite;
    throw new Fault("gone", "This invitation was accepted or withdrawn, or it has expired.");
  }

  return {
    accounts: people.accounts,
    changeAccount: people.changeAccount,
    removeAccount: people.removeAccount,
    grants: people.grants,
    changeGrant: people.changeGrant,
    removeGrant: people.removeGrant,
    removeInvite: people.removeInvite,
    identitiesOf: people.identitiesOf,
    async create({ email, role, password: given, byOwner }) {
      if (given !== undefined) rejectCommonPassword(given);
      const password = given ?? randomSecret().slice(-20);
      const createdAt = now();
      const account = newAccount({
        id: uuidV7(createdAt),
        email: normalizeEmail(email),
        passwordHash: await passwords.hash(password),
        createdAt,
        role,
      });
      await people.addAccount(account, { byOwner });
      return { account, password: given === undefined ? password : null };
    },
    async reset({ id, password, secondFactor, byOwner }) {
      const account = await people.accountById(id);
      if (account === undefined) throw new Fault("not_found", "No such account.");
      if (!password) {
        await people.resetSecondFactor(id, byOwner);
        return { account, password: null };
      }
      const reset = await accounts.resetPassword({
        id,
        newPassword: undefined,
        removeSecondFactor: secondFactor,
        byOwner,
      });
      return { account, password: reset.password };
    },
    async grant(grant) {
      const account =
        grant.accountId === null ? undefined : await people.accountById(grant.accountId);
      if (account?.role === "owner") {
        throw new Fault("invalid", "Owners may do everything, so they need no grants.");
      }
      const createdAt = now();
      return people.addGrant({ ...grant, id: uuidV7(createdAt), createdAt });
    },
    hasOthers: () => people.hasOthers(now()),
    invites: () => people.invites(now()),
    async invite({ role, grants, expiresIn = INVITE_SECONDS, maker }) {
      const token = randomSecret();
      const createdAt = now();
      const invite = await people.addInvite({
        id: uuidV7(createdAt),
        role,
        grants,
        makerId: maker?.id ?? null,
        makerName: maker?.email ?? null,
        createdAt,
        expiresAt: createdAt + Math.floor(expiresIn * 1000),
        tokenHash: hashSecret(token),
      });
      return { invite, token };
    },
    findInvite,
    async accept({ token, email, password }) {
      rejectCommonPassword(password);
      // Hashing costs much, so strangers must know an invitation first.
      await findInvite(token);
      const at = now();
      return people.acceptInvite({
        tokenHash: hashSecret(token),
        now: at,
        account: {
          id: uuidV7(at),
          email: normalizeEmail(email),
          passwordHash: await passwords.hash(password),
          createdAt: at,
        },
      });
    },
  };
}
