import type { Credentials } from "../catalog/port.ts";
import type { AccountRecord, Millis, SessionRecord } from "../rules/records.ts";
import type { LastUsedReader } from "./last-used-buffer.ts";
import { hashSecret, randomSecret } from "./secrets.ts";

export interface Sessions {
  /**
   * A new session, for every sign-in. The token is the cookie's value and is not kept. Fault
   * "unauthorized": the account, as it was when the password was checked, has another one by now.
   */
  start(
    account: AccountRecord,
    visitor: Visitor,
  ): Promise<{ token: string; session: SessionRecord }>;
  find(token: string): Promise<{ account: AccountRecord; session: SessionRecord } | undefined>;
  /** Newest first, without those that have expired. */
  list(accountId: string): Promise<SessionRecord[]>;
  /** false: the account has no such session. */
  end(accountId: string, id: string): Promise<boolean>;
  /** Returns how many ended. */
  endOthers(accountId: string, keep: string): Promise<number>;
}

export interface Visitor {
  readonly userAgent: string;
  readonly address: string;
}

const DAY = 24 * 3600 * 1000;

/** A session ends after this long whatever happens, */
export const SESSION_LIFE = 30 * DAY;
/** and after this long without a request. */
const IDLE_LIFE = 7 * DAY;

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
    now() < session.expiresAt && now() < session.lastSeenAt + IDLE_LIFE;

  return {
    async start(account, { userAgent, address }) {
      const createdAt = now();
      const token = randomSecret();
      const session: SessionRecord = {
        id: Bun.randomUUIDv7("hex", createdAt),
        accountId: account.id,
        userAgent: userAgent.slice(0, 500).toWellFormed(),
        address,
        createdAt,
        lastSeenAt: createdAt,
        expiresAt: createdAt + SESSION_LIFE,
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
      return account && { account, session };
    },
    async list(accountId) {
      await lastUsed?.flushPeers();
      return (await credentials.sessionsOf(accountId)).map(withLastUse).filter(isLive);
    },
    end: (accountId, id) => credentials.removeSession(accountId, id),
    endOthers: (accountId, keep) => credentials.removeOtherSessions(accountId, keep),
  };
}
