import { GRANT_ACTIONS, type GrantRecord } from "../accounts.ts";
import { ROOT_KEY } from "../names/name.ts";
import type { ApiKeyRecord } from "../records.ts";
import { allows, type PlacedScope } from "./scope.ts";

/** What a member may do in the space of a grant. The root limits nothing. */
export const scopeOfGrant = ({ folderId, folderKey, actions }: GrantRecord): PlacedScope => ({
  actions: new Set(actions),
  folderIds: folderKey === ROOT_KEY ? [] : [folderId],
  top: folderKey,
});

/** An API key with the rights that it has now. */
export interface BoundKey extends ApiKeyRecord {
  /** The account that made it is a member's. */
  readonly isMembers?: true | undefined;
}

/**
 * The key of a member with these grants. All that a key reaches is in each of its folders, so a grant of any of them
 * covers it. undefined: none does.
 */
export function limitedTo(key: ApiKeyRecord, grants: readonly GrantRecord[]): BoundKey | undefined {
  const covering = grants
    .filter(({ folderId, folderKey }) => folderKey === ROOT_KEY || key.folderIds.includes(folderId))
    .map(scopeOfGrant);
  const own = { actions: new Set(key.actions), folderIds: key.folderIds };
  const actions = GRANT_ACTIONS.filter(
    (action) => allows(own, action) && covering.some((scope) => allows(scope, action)),
  );
  return actions.length === 0 ? undefined : { ...key, actions, isMembers: true };
}
