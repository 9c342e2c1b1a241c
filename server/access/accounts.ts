import { timingSafeEqual } from "node:crypto";
import type { Credentials } from "../catalog/port.ts";
import { Fault } from "../rules/fault.ts";
import type { AccountRecord, Millis } from "../rules/records.ts";
import type { PasswordThrottle, ThrottleSubject } from "./password-throttle.ts";
import type { Passwords } from "./passwords.ts";
import { hashSecret, randomSecret } from "./secrets.ts";
import { clientSubject, createSignInSubjects, passwordChangeSubject } from "./throttle-subjects.ts";

/** The administrator's account: made once, signed in to with a password. */
export interface Accounts {
  setupNeeded(): Promise<boolean>;
  /**
   * A token that creates the account within a day, in place of any earlier one; null when there is
   * an account.
   */
  issueSetupToken(): Promise<string | null>;
  /** Faults: "unauthorized": not the token, or not any more; "conflict": there is an account; "rate_limited". */
  setup(request: PasswordSubject & { token: string }): Promise<AccountRecord>;
  /** Creates the account if there is none. */
  ensureAccount(email: string, password: string): Promise<void>;
  /** Faults: "unauthorized", the same for a wrong address and a wrong password; "rate_limited". */
  signIn(request: PasswordSubject): Promise<AccountRecord>;
  /** Sessions go on. Faults: "unauthorized": not the current password; "rate_limited". */
  changeEmail(request: EmailChange): Promise<AccountRecord>;
  /** Ends all sessions; returns the account with its new password. Faults: "unauthorized": not the current password; "rate_limited". */
  changePassword(request: PasswordChange): Promise<AccountRecord>;
  /**
   * Sets a password, one of its own making when none is given, and ends all sessions. Error: there
   * is no account, or none with this address.
   */
  resetPassword(request: {
    email: string | undefined;
    newPassword: string | undefined;
  }): Promise<{ email: string; password: string }>;
}

export interface PasswordSubject {
  readonly email: string;
  readonly password: string;
  /** The client's address. */
  readonly client: string;
}

/** Asked for in a session, with the password once more: a session alone must not take the account. */
interface Change {
  readonly account: AccountRecord;
  readonly currentPassword: string;
  readonly client: string;
}

export interface EmailChange extends Change {
  readonly email: string;
}

export interface PasswordChange extends Change {
  readonly newPassword: string;
}

export interface AccountParts {
  readonly credentials: Credentials;
  readonly passwords: Passwords;
  readonly throttle: PasswordThrottle;
  /** What clients are counted under: IPv6 addresses by their network. */
  readonly clientKey: (address: string) => string;
  readonly now?: () => Millis;
}

/** There is one account, and so it can be found without its address. */
const ADMINISTRATOR = "administrator";

/** The setting that keeps the setup token's hash and when it expires. */
const SETUP_TOKEN = "setup-token";
const SETUP_LIFE = 24 * 3600 * 1000;

export function createAccounts(parts: AccountParts): Accounts {
  const { credentials, passwords, throttle, clientKey, now = Date.now } = parts;
  const signInSubjects = createSignInSubjects({ credentials, clientKey, now });

  async function addFirst(email: string, password: string): Promise<AccountRecord> {
    const account: AccountRecord = {
      id: ADMINISTRATOR,
      email: normalEmail(email),
      passwordHash: await passwords.hash(password),
      createdAt: now(),
    };
    await credentials.addFirstAccount(account);
    await credentials.putSetting(SETUP_TOKEN, null);
    return account;
  }

  /** Runs a check of a secret; each failure makes the next try of the subjects wait. */
  async function guarded(
    subjects: readonly ThrottleSubject[],
    message: string,
    isRight: () => Promise<boolean>,
  ): Promise<void> {
    await throttle.attempt(...subjects);
    if (!(await isRight())) throw new Fault("unauthorized", message);
    await throttle.reset(...subjects);
  }

  async function confirm({ account, currentPassword, client }: Change): Promise<void> {
    const subjects = [clientSubject(clientKey(client)), passwordChangeSubject(account.id)];
    await guarded(subjects, "The current password is wrong.", () =>
      passwords.verify(currentPassword, account.passwordHash),
    );
  }

  async function isSetupToken(token: string): Promise<boolean> {
    const [hash, expiresAt] = (await credentials.setting(SETUP_TOKEN))?.split(" ") ?? [];
    if (hash === undefined || now() >= Number(expiresAt)) return false;
    return timingSafeEqual(Buffer.from(hashSecret(token)), Buffer.from(hash));
  }

  return {
    setupNeeded: async () => (await credentials.accountCount()) === 0,
    async issueSetupToken() {
      if ((await credentials.accountCount()) > 0) return null;
      const token = randomSecret();
      await credentials.putSetting(SETUP_TOKEN, `${hashSecret(token)} ${now() + SETUP_LIFE}`);
      return token;
    },
    async setup({ token, email, password, client }) {
      if ((await credentials.accountCount()) > 0) {
        throw new Fault("conflict", "The administrator's account exists already: sign in.");
      }
      const message =
        "This setup link is not valid. Use the newest one that the server printed, within a day of its start.";
      // Not for everybody together: strangers could then keep the administrator from setting up.
      await guarded([clientSubject(clientKey(client))], message, () => isSetupToken(token));
      return addFirst(email, password);
    },
    async ensureAccount(email, password) {
      if ((await credentials.accountCount()) > 0) return;
      try {
        await addFirst(email, password);
      } catch (error) {
        // Another process that starts at this moment was first.
        if (!(error instanceof Fault && error.kind === "conflict")) throw error;
      }
    },
    async signIn({ email, password, client }) {
      const address = normalEmail(email);
      const account = await credentials.accountByEmail(address);
      const subjects = await signInSubjects({ email: address, account, client });
      await guarded(subjects, "The email address or the password is wrong.", () =>
        passwords.verify(password, account?.passwordHash),
      );
      if (account === undefined) throw new Error("A password was right for no account");
      return account;
    },
    async changeEmail({ email, ...change }) {
      await confirm(change);
      const { account } = change;
      const changed = { ...account, email: normalEmail(email) };
      const ifPasswordHash = account.passwordHash;
      await credentials.setEmail({ accountId: account.id, email: changed.email, ifPasswordHash });
      return changed;
    },
    async changePassword({ newPassword, ...change }) {
      await confirm(change);
      const { account } = change;
      const passwordHash = await passwords.hash(newPassword);
      const ifPasswordHash = account.passwordHash;
      await credentials.setPassword({ accountId: account.id, passwordHash, ifPasswordHash });
      return { ...account, passwordHash };
    },
    async resetPassword({ email, newPassword }) {
      const account =
        email === undefined
          ? await credentials.accountById(ADMINISTRATOR)
          : await credentials.accountByEmail(normalEmail(email));
      if (account === undefined) {
        throw new Error(
          email === undefined
            ? "There is no administrator's account yet."
            : `There is no account with the address ${normalEmail(email)}.`,
        );
      }
      const password = newPassword ?? randomSecret().slice(-20);
      const passwordHash = await passwords.hash(password);
      await credentials.setPassword({ accountId: account.id, passwordHash });
      return { email: account.email, password };
    },
  };
}

const normalEmail = (email: string): string => email.trim().toLowerCase();
