import type { Credentials } from "../../catalog/port/credentials.ts";
import type { People } from "../../catalog/port/people.ts";
import { type BoundKey, limitedTo, scopeOfGrant } from "../../domain/callers/grants.ts";
import { FULL_SCOPE, type PlacedScope, type Scope } from "../../domain/callers/scope.ts";
import type { AccountRecord, ApiKeyRecord, Key } from "../../domain/records.ts";
import { chain, type MaybePromise } from "../../lib/maybe-promise.ts";

export type ScopeLedger = Pick<Credentials, "accountById"> & Pick<People, "grantsOf">;

/** What an account may do now: a member has a scope for each grant. None: it is disabled, or has no grants. */
export const createFindAccountScopes =
  ({ grantsOf }: Pick<People, "grantsOf">) =>
  (account: AccountRecord | undefined): MaybePromise<readonly PlacedScope[]> => {
    if (account === undefined || account.disabledAt !== null) return [];
    if (account.role === "owner") return [FULL_SCOPE];
    const member = { accountId: account.id, groups: account.groups };
    return chain(grantsOf(member), (grants) => grants.map(scopeOfGrant));
  };

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

/** A member in a space, as the maker of API keys, links and uploads. */
export interface Member {
  readonly accountId: string;
  readonly scope: Scope;
  /** The current key of the folder of the space. null: it is in the trash. */
  readonly top: Key | null;
}
