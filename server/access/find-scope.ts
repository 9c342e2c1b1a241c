import type { CatalogClock } from "../catalog/port/catalog-clock.ts";
import type { Credentials } from "../catalog/port/credentials.ts";
import type { Actor } from "../domain/activity.ts";
import { FULL_SCOPE, type Scope } from "../domain/callers/scope.ts";
import type { MaybePromise } from "../lib/maybe-promise.ts";
import { chain } from "../lib/maybe-promise.ts";

/**
 * What an API key or account may do now, by its id. undefined: it no longer exists, or the key has
 * expired.
 */
export type FindScope = (actor: Actor) => MaybePromise<Scope | undefined>;

export function createFindScope(
  credentials: Pick<Credentials & CatalogClock, "apiKeyById" | "accountById" | "now">,
): FindScope {
  return ({ kind, id }) => {
    if (id === null) return undefined;
    if (kind === "account") {
      return chain(credentials.accountById(id), (account) => account && FULL_SCOPE);
    }
    if (kind !== "key") return undefined;
    return chain(credentials.apiKeyById(id), (key) => {
      const isLive =
        key !== undefined && (key.expiresAt === null || credentials.now() < key.expiresAt);
      return isLive ? { actions: new Set(key.actions), folderIds: key.folderIds } : undefined;
    });
  };
}
