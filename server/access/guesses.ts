import type { Credentials } from "../catalog/port.ts";
import type { AccountRecord, Millis } from "../rules/records.ts";
import { hashSecret } from "./secrets.ts";
import type { Subject } from "./throttle.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** One client, whatever it guesses. */
export const clientGuesses = (client: string): Subject => ({
  kind: "client",
  id: client,
  freeTries: 5,
  longestWait: 15 * MINUTE,
});

/**
 * One address of an account, whoever guesses. The wait stays short, because strangers can keep it
 * running: it leaves them 1,440 guesses a day and the owner a minute to wait.
 */
export const accountGuesses = (email: string): Subject => ({
  kind: "account",
  // Hashed, so that long addresses take no more memory than short ones.
  id: hashSecret(email),
  freeTries: 10,
  longestWait: MINUTE,
});

/** The current password, guessed by somebody who has a session of the account. */
export const changeGuesses = (accountId: string): Subject => ({
  kind: "change",
  id: accountId,
  freeTries: 5,
  longestWait: 15 * MINUTE,
});

export interface SignInGuesses {
  readonly email: string;
  /** undefined: there is none with this address. */
  readonly account: AccountRecord | undefined;
  readonly client: string;
}

export interface GuessParts {
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
export function createSignInGuesses({ credentials, clientKey, now }: GuessParts) {
  return async ({ email, account, client }: SignInGuesses): Promise<Subject[]> => {
    const visitor = clientKey(client);
    // Asked without an account too, so that both take the same time.
    const sessions = await credentials.sessionsOf(account?.id ?? "");
    const isKnown = sessions.some(
      ({ address, expiresAt }) => now() < expiresAt && clientKey(address) === visitor,
    );
    return isKnown ? [clientGuesses(visitor)] : [clientGuesses(visitor), accountGuesses(email)];
  };
}
