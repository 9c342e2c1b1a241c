import type { Credentials } from "../../catalog/port/credentials.ts";
import type { People } from "../../catalog/port/people.ts";
import { GRANT_ACTIONS, type GrantRecord } from "../../domain/accounts.ts";
import { allows, FULL_SCOPE, type Scope } from "../../domain/callers/scope.ts";
import { ROOT_KEY } from "../../domain/names/name.ts";
import type { AccountRecord, ApiKeyRecord, Key } from "../../domain/records.ts";
import { chain, type MaybePromise } from "../../lib/maybe-promise.ts";

export type ScopeLedger = Pick<Credentials, "accountById"> & Pick<People, "grantsOf">;

/** What a member may do in the space of a grant. The root limits nothing. */
export const scopeOfGrant = ({ folderId, folderKey, actions }: GrantRecord): Scope => ({
  actions: new Set(actions),
  folderIds: folderKey === ROOT_KEY ? [] : [folderId],
});

/** What an account may do now: a member has a scope for each grant. None: it is disabled, or has no grants. */
export const createFindAccountScopes =
  ({ grantsOf }: Pick<People, "grantsOf">) =>
  (account: AccountRecord | undefined): MaybePromise<readonly Scope[]> => {
    if (account === undefined || account.disabledAt !== null) return [];
    if (account.role === "owner") return [FULL_SCOPE];
    const member = { accountId: account.id, groups: account.groups };
    return chain(grantsOf(member), (grants) => grants.map(scopeOfGrant));
  };

/** An API key with the rights that it has now. */
export interface BoundKey extends ApiKeyRecord {
  /** The account that made it is a member's. */
  readonly isMembers?: true | undefined;
}

/**
 * Limits a key to what the account that made it may do now. undefined: the account is disabled or gone, or has no
 * grant for the key's folders any more.
 */
export type BindKey = (key: ApiKeyRecord) => MaybePromise<BoundKey | undefined>;

export function createBindKey({ accountById, grantsOf }: ScopeLedger): BindKey {
  return (key) => {
    if (key.accountId === undefined) return key;
    return chain(accountById(key.accountId), (account) => {
      if (account === undefined || account.disabledAt !== null) return undefined;
      if (account.role === "owner") return key;
      const member = { accountId: account.id, groups: account.groups };
      return chain(grantsOf(member), (grants) => limitedTo(key, grants));
    });
  };
}

/** All that a key reaches is in each of its folders, so a grant of any of them covers it. */
function limitedTo(key: ApiKeyRecord, grants: readonly GrantRecord[]): BoundKey | undefined {
  const covering = grants
    .filter(({ folderId, folderKey }) => folderKey === ROOT_KEY || key.folderIds.includes(folderId))
    .map(scopeOfGrant);
  const own = { actions: new Set(key.actions), folderIds: key.folderIds };
  const actions = GRANT_ACTIONS.filter(
    (action) => allows(own, action) && covering.some((scope) => allows(scope, action)),
  );
  return actions.length === 0 ? undefined : { ...key, actions, isMembers: true };
}

/** A member in a space, as the maker of API keys, links and uploads. */
export interface Member {
  readonly accountId: string;
  readonly scope: Scope;
  /** The current key of the folder of the space. null: it is in the trash. */
  readonly top: Key | null;
}
