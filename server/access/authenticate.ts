import type { People } from "../catalog/port/people.ts";
import type { Actor } from "../domain/activity.ts";
import { type BoundKey, scopeOfGrant } from "../domain/callers/grants.ts";
import { allows, FULL_SCOPE, isInFolder, NO_SCOPE, type Scope } from "../domain/callers/scope.ts";
import type { AccountRecord, ApiKeyRecord, Key, Millis, SessionRecord } from "../domain/records.ts";
import { chain, type MaybePromise } from "../lib/maybe-promise.ts";
import type { ApiKeys } from "./api-keys.ts";
import type { LastUsedBuffer } from "./last-used-buffer.ts";
import { isEmbedded, mayUseCookies, type RequestOrigin } from "./origin.ts";
import { type Membership, membershipOf } from "./people/membership.ts";
import type { Member } from "./people/scopes.ts";
import { readSessionToken } from "./session-cookie.ts";
import type { Sessions } from "./sessions.ts";

/** Who sends a request, as its credentials say. */
export type Identity =
  | { readonly kind: "key"; readonly key: BoundKey }
  | {
      readonly kind: "session";
      readonly account: AccountRecord;
      readonly session: SessionRecord;
      /** The grants of a member; owners have none. */
      readonly membership?: Membership | undefined;
      /** Every account needs a second factor, and the session has none: it reaches nothing. */
      readonly lacksSecondFactor?: true | undefined;
    };

/** What the identity may do, and where. undefined: the request has no credentials. */
export function scopeOf(identity: Identity | undefined): Scope {
  if (identity === undefined) return NO_SCOPE;
  if (identity.kind === "session") {
    const { account, membership, lacksSecondFactor } = identity;
    if (lacksSecondFactor) return NO_SCOPE;
    if (account.role === "owner") return FULL_SCOPE;
    return membership?.space === undefined ? NO_SCOPE : scopeOfGrant(membership.space);
  }
  const { actions, folderIds } = identity.key;
  return { actions: new Set(actions), folderIds };
}

/**
 * A scope in which the identity may read one file: at a URL that names no space, a member reads what any of its grants
 * allows. Each of those above the file shows it, so one is enough. undefined: there is none.
 */
export function readerOf(identity: Identity, key: Key): Scope | undefined {
  if (identity.kind === "key" || identity.account.role === "owner") {
    const scope = scopeOf(identity);
    return allows(scope, "read") ? scope : undefined;
  }
  if (identity.lacksSecondFactor) return undefined;
  const grant = identity.membership?.grants.find(
    ({ folderKey, actions }) =>
      folderKey !== null && isInFolder(key, folderKey) && actions.includes("read"),
  );
  return grant && scopeOfGrant(grant);
}

/** Whether it acts with the rights of a member. */
export const isMember = (identity: Identity | undefined): boolean =>
  identity?.kind === "session"
    ? identity.account.role === "member"
    : identity?.key.isMembers === true;

/** Who manages only what it, and its keys, have made; undefined: the caller manages everything. */
export function limitedMakerOf(identity: Identity | undefined): ApiKeyRecord | Member | undefined {
  if (identity?.kind !== "session") return limitedKeyOf(identity);
  if (identity.account.role === "owner") return undefined;
  const scope = scopeOf(identity);
  return {
    accountId: identity.account.id,
    scope,
    top: identity.membership?.space?.folderKey ?? null,
  };
}

/** The ids of the makers whose things the caller manages, with those of its keys; undefined: all. */
export async function makerIdsOf(
  identity: Identity | undefined,
  keys: Pick<ApiKeys, "list">,
): Promise<string[] | undefined> {
  const maker = limitedMakerOf(identity);
  if (maker === undefined) return undefined;
  const made = (await keys.list(maker)).map(({ id }) => id);
  return ["id" in maker ? maker.id : maker.accountId, ...made];
}

/** The account that a new API key of the caller is bound to. */
export const accountIdOf = (identity: Identity | undefined): string | undefined =>
  identity?.kind === "session" ? identity.account.id : identity?.key.accountId;

/**
 * The caller's key, if it may manage only its descendants; undefined: the caller may manage all keys.
 * An expiry does not matter here: see `expiryOf`.
 */
function limitedKeyOf(identity: Identity | undefined): ApiKeyRecord | undefined {
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
  /** The id of the grant that a member's request is for. Default: none is named. */
  readonly space?: string | null;
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
  readonly grantsOf: People["grantsOf"];
  /** The setting. */
  readonly requireSecondFactor: () => boolean;
}

export function createAuthenticate(deps: AuthenticateDeps): Authenticate {
  const { keys, sessions, lastUsed, grantsOf, requireSecondFactor } = deps;

  const memberOf = (
    { account, session }: { account: AccountRecord; session: SessionRecord },
    named: string | null,
  ): MaybePromise<Membership | undefined> => {
    if (account.role === "owner") return undefined;
    const member = { accountId: account.id, groups: session.groups };
    return chain(grantsOf(member), (grants) => membershipOf(grants, named));
  };

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
    // A provider has checked its own factors, and a passkey is one.
    const lacksSecondFactor =
      requireSecondFactor() &&
      found.session.method === "password" &&
      !found.account.hasSecondFactor;
    const membership = await memberOf(found, request.space ?? null);
    return {
      kind: "session",
      ...found,
      ...(membership === undefined ? {} : { membership }),
      ...(lacksSecondFactor ? { lacksSecondFactor } : {}),
    };
  };
}

/** The caller as the audit log and the change feed name it. */
export function actorOf(identity: Identity | undefined): Actor {
  if (identity?.kind === "key")
    return { kind: "key", id: identity.key.id, name: identity.key.name };
  if (identity === undefined) return { kind: "none", id: null, name: null };
  return { kind: "account", id: identity.account.id, name: identity.account.email };
}
