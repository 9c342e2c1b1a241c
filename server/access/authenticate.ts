import type { Actor } from "../domain/activity.ts";
import { FULL_SCOPE, NO_SCOPE, type Scope } from "../domain/callers/scope.ts";
import type { AccountRecord, ApiKeyRecord, Millis, SessionRecord } from "../domain/records.ts";
import type { ApiKeys } from "./api-keys.ts";
import type { LastUsedBuffer } from "./last-used-buffer.ts";
import { isEmbedded, mayUseCookies, type RequestOrigin } from "./origin.ts";
import { readSessionToken } from "./session-cookie.ts";
import type { Sessions } from "./sessions.ts";

/** Who sends a request, as its credentials say. */
export type Identity =
  | { readonly kind: "key"; readonly key: ApiKeyRecord }
  | {
      readonly kind: "session";
      readonly account: AccountRecord;
      readonly session: SessionRecord;
    };

/** What the identity may do, and where. undefined: the request has no credentials. */
export function scopeOf(identity: Identity | undefined): Scope {
  if (identity === undefined) return NO_SCOPE;
  if (identity.kind === "session") return FULL_SCOPE;
  const { actions, folderIds } = identity.key;
  return { actions: new Set(actions), folderIds };
}

/**
 * The caller's key, if it may manage only its descendants; undefined: the caller may manage all keys.
 * An expiry does not matter here: see `expiryOf`.
 */
export function limitedKeyOf(identity: Identity | undefined): ApiKeyRecord | undefined {
  if (identity?.kind !== "key") return undefined;
  const isUnlimited = identity.key.actions.includes("admin") && identity.key.folderIds.length === 0;
  return isUnlimited ? undefined : identity.key;
}

/** When the caller's API key expires; what it creates must end by then. undefined: never. */
export const expiryOf = (identity: Identity | undefined): Millis | undefined =>
  identity?.kind === "key" ? (identity.key.expiresAt ?? undefined) : undefined;

/** The parts of a request that authenticate it; null: the header is absent. */
export interface RequestCredentials extends RequestOrigin {
  readonly apiKey: string | null;
  readonly cookie: string | null;
  /** Whether the server is reached over HTTPS. */
  readonly secure: boolean;
}

/**
 * The caller; undefined: no valid credentials. When the request has an API key, only the key counts: a
 * valid cookie does not make up for a wrong key.
 */
export type Authenticate = (request: RequestCredentials) => Promise<Identity | undefined>;

/**
 * The session token with which the request may act: undefined if it has an API key, or if another
 * site may have made the browser send the cookie.
 */
export function sessionTokenOf(request: RequestCredentials): string | undefined {
  if (request.apiKey !== null) return undefined;
  const token = readSessionToken(request.cookie, request);
  return token === undefined || !mayUseCookies(request) || isEmbedded(request) ? undefined : token;
}

export interface AuthenticateDeps {
  readonly keys: ApiKeys;
  readonly sessions: Sessions;
  readonly lastUsed: LastUsedBuffer;
}

export function createAuthenticate({ keys, sessions, lastUsed }: AuthenticateDeps): Authenticate {
  return async (request) => {
    if (request.apiKey !== null) {
      const key = await keys.authenticate(request.apiKey);
      if (key === undefined) return undefined;
      lastUsed.recordKey(key.id);
      return { kind: "key", key };
    }
    const token = sessionTokenOf(request);
    if (token === undefined) return undefined;
    const found = await sessions.find(token);
    if (found === undefined) return undefined;
    lastUsed.recordSession(found.session.id);
    return { kind: "session", ...found };
  };
}

/** The caller as the audit log and the change feed name it. */
export function actorOf(identity: Identity | undefined): Actor {
  if (identity?.kind === "key")
    return { kind: "key", id: identity.key.id, name: identity.key.name };
  if (identity === undefined) return { kind: "none", id: null, name: null };
  return { kind: "account", id: identity.account.id, name: identity.account.email };
}
