import type { Credentials } from "../catalog/port/credentials.ts";
import type { AccountRecord, Millis, SessionRecord, SignInMethod } from "../domain/records.ts";
import { uuidV7 } from "../runtime/uuid.ts";
import type { LastUsedReader } from "./last-used-buffer.ts";
import { hashSecret, randomSecret } from "./secrets.ts";

export interface Sessions {
  /**
   * Every sign-in starts a new session. The token is the cookie's value; only its hash is stored.
   * Fault "unauthorized": the account's password has changed since it was checked.
   */
  start(
    account: AccountRecord,
    visitor: Visitor,
  ): Promise<{ token: string; session: SessionRecord }>;
  find(token: string): Promise<{ account: AccountRecord; session: SessionRecord } | undefined>;
  /** Newest first, without expired sessions. */
  list(accountId: string): Promise<SessionRecord[]>;
  /** false: not found. */
  end(accountId: string, id: string): Promise<boolean>;
  /** Returns how many ended. */
  endOthers(accountId: string, keep: string): Promise<number>;
}

export interface Visitor {
  readonly userAgent: string;
  readonly address: string;
  /** Default: by password. */
  readonly method?: SignInMethod | undefined;
  /** Groups at the provider. Default: none. */
  readonly groups?: readonly string[] | undefined;
}

const DAY = 24 * 3600 * 1000;

/** Lifetime of a session, whether used or not. */
const SESSION_LIFETIME_MS = 30 * DAY;
/** The life of sessions of members, and of all who sign in with a provider, so that groups and roles stay fresh. */
const SHORT_LIFETIME_MS = 12 * 3600 * 1000;
/** A session ends earlier after this long without a request. */
const IDLE_TIMEOUT_MS = 7 * DAY;

export function createSessions(
  credentials: Credentials,
  now: () => Millis = Date.now,
  lastUsed?: LastUsedReader,
): Sessions {
  const withLastUse = (session: SessionRecord): SessionRecord => ({
    ...session,
    lastSeenAt: lastUsed?.unwritten(session.id) ?? session.lastSeenAt,
  });
  const isLive = (session: SessionRecord): boolean =>
    now() < session.expiresAt && now() < session.lastSeenAt + IDLE_TIMEOUT_MS;

  return {
    async start(account, { userAgent, address, method = "password", groups = [] }) {
      const createdAt = now();
      const isShort = account.role === "member" || method === "oidc";
      const token = randomSecret();
      const session: SessionRecord = {
        id: uuidV7(createdAt),
        accountId: account.id,
        userAgent: userAgent.slice(0, 500).toWellFormed(),
        address,
        createdAt,
        lastSeenAt: createdAt,
        expiresAt: createdAt + (isShort ? SHORT_LIFETIME_MS : SESSION_LIFETIME_MS),
        method,
        groups,
      };
      await credentials.removeExpiredSessions(createdAt);
      const { passwordHash } = account;
      await credentials.addSession({ ...session, hash: hashSecret(token), passwordHash });
      return { token, session };
    },
    async find(token) {
      const session = await credentials.sessionByHash(hashSecret(token));
      if (session === undefined || !isLive(session)) return undefined;
      const account = await credentials.accountById(session.accountId);
      if (account === undefined || account.disabledAt !== null) return undefined;
      // The role may have changed since the session began.
      const isOver = account.role === "member" && now() >= session.createdAt + SHORT_LIFETIME_MS;
      return isOver ? undefined : { account, session };
    },
    async list(accountId) {
      await lastUsed?.flushPeers();
      return (await credentials.sessionsOf(accountId)).map(withLastUse).filter(isLive);
    },
    end: (accountId, id) => credentials.removeSession(accountId, id),
    endOthers: (accountId, keep) => credentials.removeOtherSessions(accountId, keep),
  };
}
