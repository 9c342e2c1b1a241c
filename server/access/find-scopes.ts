import type { CatalogClock } from "../catalog/port/catalog-clock.ts";
import type { Credentials } from "../catalog/port/credentials.ts";
import type { Actor } from "../domain/activity.ts";
import type { PlacedScope } from "../domain/callers/scope.ts";
import { chain, type MaybePromise } from "../lib/maybe-promise.ts";
import { createBindKey, createFindAccountScopes, type ScopeLedger } from "./people/scopes.ts";

/**
 * What an API key or account may do now, by its id: a member has a scope for each grant, and may do what any of them
 * allows. None: it no longer exists, is disabled, or has expired.
 */
export type FindScopes = (actor: Actor) => MaybePromise<readonly PlacedScope[]>;

export function createFindScopes(
  credentials: ScopeLedger & Pick<Credentials, "apiKeyById"> & Pick<CatalogClock, "now">,
): FindScopes {
  const bind = createBindKey(credentials);
  const ofAccount = createFindAccountScopes(credentials);
  return ({ kind, id }) => {
    if (id === null) return [];
    if (kind === "account") return chain(credentials.accountById(id), ofAccount);
    if (kind !== "key") return [];
    return chain(credentials.apiKeyById(id), (key) => {
      const isLive =
        key !== undefined && (key.expiresAt === null || credentials.now() < key.expiresAt);
      if (!isLive) return [];
      return chain(bind(key), (bound) =>
        bound === undefined
          ? []
          : [{ actions: new Set(bound.actions), folderIds: bound.folderIds }],
      );
    });
  };
}
