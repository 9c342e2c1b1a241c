import { timingSafeEqual } from "node:crypto";
import type { Credentials } from "../catalog/port.ts";
import { Fault } from "../rules/fault.ts";
import type { AccountRecord, Millis } from "../rules/records.ts";
import type { Passwords } from "./passwords.ts";
import { hashSecret, randomSecret } from "./secrets.ts";
import type { Throttle } from "./throttle.ts";

/** The administrator's account: made once, signed in to with a password. */
export interface Accounts {
  setupNeeded(): Promise<boolean>;
  /** A token that creates the account, in place of any earlier one; null when there is an account. */
  issueSetupToken(): Promise<string | null>;
  /** Faults: "unauthorized": not the token; "conflict": there is an account; "limited". */
  setup(request: PasswordSubject & { token: string }): Promise<AccountRecord>;
  /** Creates the account if there is none. */
  ensureAccount(email: string, password: string): Promise<void>;
  /** Faults: "unauthorized", the same for a wrong address and a wrong password; "limited". */
  signIn(request: PasswordSubject): Promise<AccountRecord>;
  /** Ends all sessions of the account. Faults: "unauthorized": not the current password; "limited". */
  changePassword(request: PasswordChange): Promise<void>;
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

export interface PasswordChange {
  readonly account: AccountRecord;
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly client: string;
}

export interface AccountParts {
  readonly credentials: Credentials;
  readonly passwords: Passwords;
  readonly throttle: Throttle;
  readonly now?: () => Millis;
}

/** The settings under which the setup token's hash and the administrator's address are kept. */
const SETUP_TOKEN = "setup-token-hash";
const ADMINISTRATOR = "administrator-email";

export function createAccounts(parts: AccountParts): Accounts {
  const { credentials, passwords, throttle, now = Date.now } = parts;

  async function addFirst(email: string, password: string): Promise<AccountRecord> {
    const createdAt = now();
    const account: AccountRecord = {
      id: Bun.randomUUIDv7("hex", createdAt),
      email: email.trim().toLowerCase(),
      passwordHash: await passwords.hash(password),
      createdAt,
    };
    await credentials.addFirstAccount(account);
    await credentials.putSetting(ADMINISTRATOR, account.email);
    await credentials.putSetting(SETUP_TOKEN, null);
    return account;
  }

  /** Runs a check of a secret; failures make the next one wait, for the subject and the client. */
  async function guarded(
    subject: string,
    client: string,
    message: string,
    isRight: () => Promise<boolean>,
  ): Promise<void> {
    const subjects = [`subject ${subject}`, `client ${client}`];
    throttle.check(...subjects);
    // Counted before the check, so that tries side by side do not all get in for free.
    throttle.fail(...subjects);
    if (!(await isRight())) throw new Fault("unauthorized", message);
    throttle.reset(...subjects);
  }

  async function isSetupToken(token: string): Promise<boolean> {
    const expected = await credentials.setting(SETUP_TOKEN);
    if (expected === undefined) return false;
    return timingSafeEqual(Buffer.from(hashSecret(token)), Buffer.from(expected));
  }

  return {
    setupNeeded: async () => (await credentials.accountCount()) === 0,
    async issueSetupToken() {
      if ((await credentials.accountCount()) > 0) return null;
      const token = randomSecret();
      await credentials.putSetting(SETUP_TOKEN, hashSecret(token));
      return token;
    },
    async setup({ token, email, password, client }) {
      if ((await credentials.accountCount()) > 0) {
        throw new Fault("conflict", "The administrator's account exists already: sign in.");
      }
      const message = "This setup link is not valid. Use the newest one that the server printed.";
      await guarded("setup", client, message, () => isSetupToken(token));
      return addFirst(email, password);
    },
    async ensureAccount(email, password) {
      if ((await credentials.accountCount()) === 0) await addFirst(email, password);
    },
    async signIn({ email, password, client }) {
      const address = email.trim().toLowerCase();
      const account = await credentials.accountByEmail(address);
      await guarded(address, client, "The email address or the password is wrong.", () =>
        passwords.verify(password, account?.passwordHash),
      );
      if (account === undefined) throw new Error("A password was right for no account");
      return account;
    },
    async changePassword({ account, currentPassword, newPassword, client }) {
      await guarded(account.email, client, "The current password is wrong.", () =>
        passwords.verify(currentPassword, account.passwordHash),
      );
      const passwordHash = await passwords.hash(newPassword);
      await credentials.setPassword({ accountId: account.id, passwordHash });
    },
    async resetPassword({ email, newPassword }) {
      const address = email?.trim().toLowerCase() ?? (await credentials.setting(ADMINISTRATOR));
      if (address === undefined) throw new Error("There is no administrator's account yet.");
      const account = await credentials.accountByEmail(address);
      if (account === undefined)
        throw new Error(`There is no account with the address ${address}.`);
      const password = newPassword ?? randomSecret().slice(0, 20);
      const passwordHash = await passwords.hash(password);
      await credentials.setPassword({ accountId: account.id, passwordHash });
      return { email: account.email, password };
    },
  };
}
