import type {
  GrantObject,
  InviteObject,
  ListedAccountObject,
  SpaceObject,
} from "../../../../contract/api.ts";
import type {
  accountsOperations,
  inviteOperations,
} from "../../../../contract/operations/accounts.ts";
import type { grantOperations } from "../../../../contract/operations/grants.ts";
import type { Identity } from "../../../access/authenticate.ts";
import type { ListedAccount, Members } from "../../../access/people/members.ts";
import {
  GRANT_ACTIONS,
  type GrantAction,
  type GrantRecord,
  type InviteRecord,
} from "../../../domain/accounts.ts";
import type { Ref } from "../../../domain/callers/ref.ts";
import { Fault } from "../../../domain/faults/fault.ts";
import { timestamp } from "../../../domain/timestamp.ts";
import { accountObject, maybeTimestamp } from "../objects.ts";
import { givenTarget } from "./given-refs.ts";
import type { Handlers } from "./handler.ts";
import { requirePasswordSignIn } from "./require-password-sign-in.ts";
import { createStartSession, requireSession, type StartSessionDeps } from "./start-session.ts";

export interface PeopleHandlerDeps extends StartSessionDeps {
  readonly members: Members;
  /** Whether a password signs in. */
  readonly passwordSignIn: boolean;
}

type PeopleOperations =
  | keyof typeof accountsOperations
  | keyof typeof inviteOperations
  | keyof typeof grantOperations;

export function peopleHandlers(deps: PeopleHandlerDeps): Handlers<PeopleOperations> {
  const { members } = deps;
  const startSession = createStartSession(deps);

  /** Fault "not_found". */
  async function find(id: string): Promise<ListedAccount> {
    const account = (await members.accounts()).find((each) => each.id === id);
    if (account === undefined) throw new Fault("not_found", "No such account.");
    return account;
  }

  return {
    async listAccounts({ identity }) {
      requireOwner(identity);
      return { accounts: (await members.accounts()).map(listedAccount) };
    },

    async createAccount({ identity, body: { role = "member", ...body } }) {
      const byOwner = requireOwner(identity).account.id;
      const { account, password } = await members.create({ ...body, role, byOwner });
      return { account: listedAccount(await find(account.id)), password };
    },

    async changeAccount({ identity, body: { id, role, disabled } }) {
      requireOwner(identity);
      if (role === undefined && disabled === undefined) {
        throw new Fault("invalid", "Give `role`, `disabled` or both.");
      }
      const before = await find(id);
      const disabledAt = disabled === true ? (before.disabledAt ?? Date.now()) : null;
      await members.changeAccount({
        id,
        role,
        disabledAt: disabled === undefined ? undefined : disabledAt,
      });
      return { account: listedAccount(await find(id)) };
    },

    async removeAccount({ identity, body: { id } }) {
      requireOwner(identity);
      const { account, keys } = await members.removeAccount(id);
      return { deleted: [account.id, ...keys], account: accountObject(account) };
    },

    async resetAccount({ identity, body: { id, password, secondFactor } }) {
      const { account: own } = requireOwner(identity);
      if (password === undefined && secondFactor === undefined) {
        throw new Fault("invalid", "Give `password`, `secondFactor` or both.");
      }
      if (id === own.id) {
        throw new Fault(
          "invalid",
          "Change your own password and second factor with your current password.",
        );
      }
      const reset = await members.reset({
        id,
        password: password === true,
        secondFactor: secondFactor === true,
        byOwner: own.id,
      });
      return { account: accountObject(reset.account), password: reset.password };
    },

    async listInvites({ identity }) {
      requireOwner(identity);
      return { invites: (await members.invites()).map(inviteObject) };
    },

    async createInvite({ identity, body: { role = "member", grants = [], expiresIn } }) {
      const { account } = requireOwner(identity);
      if (role === "owner" && grants.length > 0) throw noGrants();
      const { invite, token } = await members.invite({
        role,
        grants: grants.map(({ actions, ...place }) => ({
          folder: placeOf(place),
          actions: inOrder(actions),
        })),
        expiresIn,
        maker: account,
      });
      return { invite: inviteObject(invite), url: `invite#${token}` };
    },

    async removeInvite({ identity, body: { id } }) {
      requireOwner(identity);
      const removed = await members.removeInvite(id);
      if (removed === undefined) throw new Fault("not_found", "Invitation not found.");
      return { deleted: [removed.id] };
    },

    async readInvite({ body: { token } }) {
      const { role, invitedBy, expiresAt } = inviteObject(await members.findInvite(token));
      return { invite: { role, invitedBy, expiresAt } };
    },

    async acceptInvite(input) {
      requirePasswordSignIn(deps.passwordSignIn);
      return startSession(await members.accept(input.body), input);
    },

    async listGrants() {
      return { grants: (await members.grants()).map(grantObject) };
    },

    async createGrant({ body: { accountId, group, actions, ...place } }) {
      const grantee = granteeOf(accountId, group);
      const folder = placeOf(place);
      const grant = await members.grant({ ...grantee, folder, actions: inOrder(actions) });
      return { grant: grantObject(grant) };
    },

    async changeGrant({ body: { id, actions } }) {
      return { grant: grantObject(await members.changeGrant({ id, actions: inOrder(actions) })) };
    },

    async removeGrant({ body: { id } }) {
      const grant = await members.removeGrant(id);
      if (grant === undefined) throw new Fault("not_found", "Grant not found.");
      return { deleted: [grant.id], grant: grantObject(grant) };
    },
  };
}

/** Fault "forbidden": the session is not an owner's. */
function requireOwner(identity: Identity | undefined) {
  const session = requireSession(identity);
  if (session.account.role === "owner") return session;
  throw new Fault("forbidden", "Only owners of the instance may do that.");
}

interface Place {
  readonly folderId?: string | undefined;
  readonly folder?: string | undefined;
}

/** Fault "invalid": not exactly one of the fields is given. */
function placeOf({ folderId: id, folder: key }: Place): Ref {
  const folder = givenTarget({ id, key }, ["folderId", "folder"]);
  if (folder === undefined)
    throw new Fault("invalid", "Give the `folderId` of a folder, or its key as `folder`.");
  return folder;
}

/** Fault "invalid": not exactly one is given. */
function granteeOf(accountId: string | undefined, group: string | undefined) {
  if (accountId !== undefined && group === undefined) return { accountId, group: null };
  if (group !== undefined && accountId === undefined) return { accountId: null, group };
  throw new Fault("invalid", "Give either `accountId` or `group`.");
}

const noGrants = (): Fault =>
  new Fault("invalid", "Owners may do everything, so they need no grants.");

const inOrder = (actions: readonly GrantAction[]): GrantAction[] =>
  GRANT_ACTIONS.filter((action) => actions.includes(action));

const listedAccount = (account: ListedAccount): ListedAccountObject => ({
  ...accountObject(account),
  disabledAt: maybeTimestamp(account.disabledAt),
  hasSecondFactor: account.hasSecondFactor,
  passkeys: account.passkeys,
  identities: account.identities,
  groups: [...account.groups],
  lastSeenAt: maybeTimestamp(account.lastSeenAt),
});

export const spaceObject = ({ id, folderId, folderKey, actions }: GrantRecord): SpaceObject => ({
  id,
  folder: { id: folderId, key: folderKey },
  actions: [...actions],
});

const grantObject = (grant: GrantRecord): GrantObject => ({
  ...spaceObject(grant),
  accountId: grant.accountId,
  group: grant.group,
  createdAt: timestamp(grant.createdAt),
});

const inviteObject = (invite: InviteRecord): InviteObject => ({
  id: invite.id,
  role: invite.role,
  grants: invite.grants.map(({ folderId, actions }) => ({ folderId, actions: [...actions] })),
  invitedBy: invite.makerName,
  createdAt: timestamp(invite.createdAt),
  expiresAt: timestamp(invite.expiresAt),
});
