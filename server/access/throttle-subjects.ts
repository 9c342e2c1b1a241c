import type { Credentials } from "../catalog/port.ts";
import type { AccountRecord, Millis } from "../rules/records.ts";
import type { ThrottleSubject } from "./password-throttle.ts";
import { hashSecret } from "./secrets.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** One client, whatever it guesses. */
export const clientSubject = (client: string): ThrottleSubject => ({
  kind: "client",
  id: client,
  freeTries: 5,
  longestWait: 15 * MINUTE,
});

/**
 * One address of an account, whoever guesses. The wait stays short, because strangers can keep it
 * running: it leaves them 1,440 guesses a day and the owner a minute to wait.
 */
export const accountSubject = (email: string): ThrottleSubject => ({
  kind: "account",
  // Hashed, so that long addresses take no more memory than short ones.
  id: hashSecret(email),
  freeTries: 10,
  longestWait: MINUTE,
});

/** The current password, guessed by somebody who has a session of the account. */
export const passwordChangeSubject = (accountId: string): ThrottleSubject => ({
  kind: "change",
  id: accountId,
  freeTries: 5,
  longestWait: 15 * MINUTE,
});

export interface SignInAttempt {
  readonly email: string;
  /** undefined: there is none with this address. */
  readonly account: AccountRecord | undefined;
  readonly client: string;
}

export interface SignInSubjectParts {
  readonly credentials: Credentials;
  /** What clients are counted under: IPv6 addresses by their network. */
  readonly clientKey: (address: string) => string;
  readonly now: () => Millis;
}

/**
 * What a try to sign in counts against. A client from whose address the account is signed in
 * somewhere answers for itself only: strangers who guess all day long cannot keep the owner out.
 * One who is signed in nowhere has at most the account's short wait, a session elsewhere, or the
 * command that sets a new password.
 */
export function createSignInSubjects({ credentials, clientKey, now }: SignInSubjectParts) {
  return async ({ email, account, client }: SignInAttempt): Promise<ThrottleSubject[]> => {
    const visitor = clientKey(client);
    // Asked without an account too, so that both take the same time.
    const sessions = await credentials.sessionsOf(account?.id ?? "");
    const isKnown = sessions.some(
      ({ address, expiresAt }) => now() < expiresAt && clientKey(address) === visitor,
    );
    return isKnown ? [clientSubject(visitor)] : [clientSubject(visitor), accountSubject(email)];
  };
}
