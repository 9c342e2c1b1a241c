import type {
  AccountObject,
  GrantAction,
  GrantObject,
  IdentityObject,
  InviteObject,
  ListedAccountObject,
} from "../../contract/api.ts";
import type { BaseClient } from "./base-client.ts";
import type { CallOptions } from "./connection/options.ts";

export type {
  AccountObject,
  GrantAction,
  GrantObject,
  IdentityObject,
  InviteObject,
  ListedAccountObject,
} from "../../contract/api.ts";

export type Role = AccountObject["role"];

/** Exactly one of the two fields. */
export interface FolderPlace {
  readonly folderId?: string | undefined;
  readonly folder?: string | undefined;
}

export interface NewGrant extends FolderPlace {
  /** The member, or `group`. */
  readonly accountId?: string | undefined;
  /** A group of the provider through which people sign in. */
  readonly group?: string | undefined;
  readonly actions: readonly GrantAction[];
}

export interface NewInvite {
  readonly role?: Role | undefined;
  readonly grants?: readonly (FolderPlace & { readonly actions: readonly GrantAction[] })[];
  /** In seconds. Default: 7 days. */
  readonly expiresIn?: number | undefined;
}

export interface ShownPassword<Account> {
  readonly account: Account;
  /** null: none was made. */
  readonly password: string | null;
}

/**
 * Accounts, invitations and grants. Accounts and invitations need the session of an owner; grants also take an API key
 * with `admin` for all folders. Every method throws a `HoldallError` if the request fails.
 */
export interface People {
  accounts(options?: CallOptions): Promise<ListedAccountObject[]>;
  createAccount(
    account: { email: string; password?: string; role?: Role },
    options?: CallOptions,
  ): Promise<ShownPassword<ListedAccountObject>>;
  changeAccount(
    id: string,
    change: { role?: Role; disabled?: boolean },
    options?: CallOptions,
  ): Promise<ListedAccountObject>;
  /** Returns its id, then those of its API keys. */
  removeAccount(id: string, options?: CallOptions): Promise<string[]>;
  resetAccount(
    id: string,
    reset: { password?: true; secondFactor?: true },
    options?: CallOptions,
  ): Promise<ShownPassword<AccountObject>>;
  grants(options?: CallOptions): Promise<GrantObject[]>;
  grant(grant: NewGrant, options?: CallOptions): Promise<GrantObject>;
  changeGrant(
    id: string,
    actions: readonly GrantAction[],
    options?: CallOptions,
  ): Promise<GrantObject>;
  removeGrant(id: string, options?: CallOptions): Promise<void>;
  invites(options?: CallOptions): Promise<InviteObject[]>;
  /** The link, relative to the base URL, cannot be read again. */
  invite(
    invite?: NewInvite,
    options?: CallOptions,
  ): Promise<{ readonly invite: InviteObject; readonly url: string }>;
  removeInvite(id: string, options?: CallOptions): Promise<void>;
  /** Reads an invitation, for the page of its link. */
  readInvite(
    token: string,
    options?: CallOptions,
  ): Promise<Pick<InviteObject, "role" | "invitedBy" | "expiresAt">>;
  /** Signs the browser in. */
  acceptInvite(
    acceptance: { token: string; email: string; password: string },
    options?: CallOptions,
  ): Promise<AccountObject>;
}

export function peopleOf(holdall: Pick<BaseClient, "call">): People {
  return {
    accounts: async ({ signal } = {}) => (await holdall.call("listAccounts", { signal })).accounts,
    createAccount: (body, { signal } = {}) => holdall.call("createAccount", { body, signal }),
    changeAccount: async (id, change, { signal } = {}) =>
      (await holdall.call("changeAccount", { body: { id, ...change }, signal })).account,
    removeAccount: async (id, { signal } = {}) =>
      (await holdall.call("removeAccount", { body: { id }, signal })).deleted,
    resetAccount: (id, reset, { signal } = {}) =>
      holdall.call("resetAccount", { body: { id, ...reset }, signal }),
    grants: async ({ signal } = {}) => (await holdall.call("listGrants", { signal })).grants,
    grant: async ({ actions, ...grant }, { signal } = {}) =>
      (await holdall.call("createGrant", { body: { ...grant, actions: [...actions] }, signal }))
        .grant,
    changeGrant: async (id, actions, { signal } = {}) =>
      (await holdall.call("changeGrant", { body: { id, actions: [...actions] }, signal })).grant,
    async removeGrant(id, { signal } = {}) {
      await holdall.call("removeGrant", { body: { id }, signal });
    },
    invites: async ({ signal } = {}) => (await holdall.call("listInvites", { signal })).invites,
    invite({ grants, ...invite } = {}, { signal } = {}) {
      const invited = grants?.map(({ actions, ...place }) => ({ ...place, actions: [...actions] }));
      return holdall.call("createInvite", { body: { ...invite, grants: invited }, signal });
    },
    async removeInvite(id, { signal } = {}) {
      await holdall.call("removeInvite", { body: { id }, signal });
    },
    readInvite: async (token, { signal } = {}) =>
      (await holdall.call("readInvite", { body: { token }, signal })).invite,
    acceptInvite: async (body, { signal } = {}) =>
      (await holdall.call("acceptInvite", { body, signal })).account,
  };
}

/** Accounts at an OpenID Connect provider that sign in to the account. */
export interface Identities {
  identities(options?: CallOptions): Promise<IdentityObject[]>;
  /**
   * Returns the page to open in the same browser within ten minutes. 401: the password or the code is wrong. 403:
   * the account needs a `code` as well.
   */
  connectIdentity(
    input: { currentPassword: string; code?: string | undefined },
    options?: CallOptions,
  ): Promise<string>;
  /** Accepts an invitation with the provider. Returns the page to open, as `connectIdentity`. */
  beginInvitation(input: { token: string }, options?: CallOptions): Promise<string>;
  /** 409: nothing else signs in to the account. */
  disconnectIdentity(
    identity: { issuer: string; subject: string },
    options?: CallOptions,
  ): Promise<void>;
}

export function identitiesOf(holdall: Pick<BaseClient, "call">): Identities {
  return {
    identities: async ({ signal } = {}) =>
      (await holdall.call("identities", { signal })).identities,
    connectIdentity: async (body, { signal } = {}) =>
      (await holdall.call("connectIdentity", { body, signal, retries: 0 })).url,
    beginInvitation: async (body, { signal } = {}) =>
      (await holdall.call("beginInvitation", { body, signal, retries: 0 })).url,
    async disconnectIdentity({ issuer, subject }, { signal } = {}) {
      await holdall.call("disconnectIdentity", { body: { issuer, subject }, signal });
    },
  };
}
