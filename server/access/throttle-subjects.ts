import type { Credentials } from "../catalog/port/credentials.ts";
import type { AccountRecord, Millis, SessionRecord } from "../domain/records.ts";
import type { ThrottleSubject } from "./password-throttle.ts";
import { hashSecret } from "./secrets.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** All attempts of one client. */
export const clientSubject = (client: string): ThrottleSubject => ({
  kind: "client",
  id: client,
  freeAttempts: 5,
  maxWaitMs: 15 * MINUTE,
});

/** All attempts of one browser that has a session of the account, from any address. */
const sessionSubject = (sessionId: string): ThrottleSubject => ({
  kind: "session",
  id: sessionId,
  freeAttempts: 5,
  maxWaitMs: 15 * MINUTE,
});

/** Between two attempts of those who have failed before: allows attackers 21,600 attempts a day. */
export const SHARED_WAIT_MS: Millis = 4 * SECOND;

/** All attempts on one email address. */
const accountSubject = (email: string): ThrottleSubject => ({
  kind: "account",
  // Hashed, so that long addresses take no more memory than short ones.
  id: hashSecret(email),
  freeAttempts: 10,
  maxWaitMs: SHARED_WAIT_MS,
  isShared: true,
});

/** All attempts to confirm the current password in a session of the account. */
export const passwordChangeSubject = (accountId: string): ThrottleSubject => ({
  kind: "change",
  id: accountId,
  freeAttempts: 5,
  maxWaitMs: 15 * MINUTE,
});

/**
 * All attempts to guess a code of the account's authenticator app, which only callers with its password
 * can make: about a hundred a day against a million codes.
 */
export const codeSubject = (accountId: string): ThrottleSubject => ({
  kind: "code",
  id: accountId,
  freeAttempts: 5,
  maxWaitMs: 15 * MINUTE,
});

/** All sign-ins with the provider that fail for one client. */
export const providerSubject = (client: string): ThrottleSubject => ({
  kind: "provider",
  id: client,
  freeAttempts: 5,
  maxWaitMs: 15 * MINUTE,
});

export interface SignInAttempt {
  readonly email: string;
  /** undefined: no account has this address. */
  readonly account: AccountRecord | undefined;
  readonly client: string;
  /** The session whose cookie the request has. */
  readonly session: SessionRecord | undefined;
}

export interface SignInSubjectDeps {
  readonly credentials: Credentials;
  /** Groups client addresses: IPv6 addresses by their network. */
  readonly clientKey: (address: string) => string;
  readonly now: () => Millis;
}

/**
 * The subjects that a sign-in attempt counts against. A browser with a live session of the account, and a
 * client whose address has one, only counts against itself, so that attackers cannot keep the owner out.
 */
export function createSignInSubjects({ credentials, clientKey, now }: SignInSubjectDeps) {
  return async ({ email, account, client, session }: SignInAttempt): Promise<ThrottleSubject[]> => {
    const key = clientKey(client);
    // Queried without an account too, so that both cases take the same time.
    const sessions = await credentials.sessionsOf(account?.id ?? "");
    if (session !== undefined && session.accountId === account?.id) {
      return [sessionSubject(session.id)];
    }
    const isKnown = sessions.some(
      ({ address, expiresAt }) => now() < expiresAt && clientKey(address) === key,
    );
    return isKnown ? [clientSubject(key)] : [clientSubject(key), accountSubject(email)];
  };
}
