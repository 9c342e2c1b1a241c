import { timingSafeEqual } from "node:crypto";
import type { Credentials } from "../catalog/port/credentials.ts";
import { newAccount } from "../domain/accounts.ts";
import { rejectCommonPassword } from "../domain/common-password.ts";
import { Fault } from "../domain/faults/fault.ts";
import type { AccountRecord, Millis, SessionRecord } from "../domain/records.ts";
import { checkThrottled } from "./check-throttled.ts";
import type { PasswordThrottle, ThrottleSubject } from "./password-throttle.ts";
import type { Passwords } from "./passwords.ts";
import type { SecondFactor } from "./second-factor.ts";
import { hashSecret, randomSecret } from "./secrets.ts";
import { clientSubject, createSignInSubjects, passwordChangeSubject } from "./throttle-subjects.ts";

/** The first account, which is created with a password, and what people do with their own accounts. */
export interface Accounts {
  setupNeeded(): Promise<boolean>;
  /**
   * Creates a token that allows setting up the account within a day, and replaces earlier tokens.
   * null: the account exists.
   */
  issueSetupToken(): Promise<string | null>;
  /**
   * Faults: "unauthorized": the token is wrong or has expired; "conflict": the account exists; "invalid":
   * the password is one that attackers try first; "rate_limited".
   */
  setup(request: PasswordSubject & { token: string }): Promise<AccountRecord>;
  /** Creates the account unless it exists. */
  ensureAccount(email: string, password: string): Promise<void>;
  /**
   * Faults: "unauthorized", the same for a wrong address and a wrong password; "forbidden": the password
   * is right, and a code is needed; "rate_limited".
   */
  signIn(request: SignIn): Promise<AccountRecord>;
  /** Faults: "unauthorized": the current password is wrong; "rate_limited". */
  confirmPassword(request: Change): Promise<void>;
  /** Keeps all sessions. Faults: "unauthorized": the current password is wrong; "rate_limited". */
  changeEmail(request: EmailChange): Promise<AccountRecord>;
  /** Ends all sessions; returns the account with its new password. Faults: same as `changeEmail`; "invalid": as for `setup`. */
  changePassword(request: PasswordChange): Promise<AccountRecord>;
  /**
   * Sets the given password or a random one, and ends all sessions. Returns what else signs in. Error: there is no account, or
   * none with this address. Fault "not_found": none with this id.
   */
  resetPassword(request: {
    /** Neither an address nor an id: the only owner. */
    email?: string | undefined;
    /** Instead of the address, which another account may get meanwhile. */
    id?: string | undefined;
    newPassword: string | undefined;
    /** Turns two-step sign-in off and removes the passkeys, too. */
    removeSecondFactor?: boolean;
    /** The id of the owner who does it. Fault "forbidden": the account is not an owner any more. */
    byOwner?: string | undefined;
  }): Promise<PasswordReset>;
}

export interface PasswordReset {
  readonly email: string;
  readonly password: string;
  readonly hasSecondFactor: boolean;
  /** Their number. */
  readonly passkeys: number;
}

export interface PasswordSubject {
  readonly email: string;
  readonly password: string;
  /** The client's address. */
  readonly client: string;
}

export interface SignIn extends PasswordSubject {
  readonly code?: string | undefined;
  /** The session whose cookie the request has: its browser is known, from any address. */
  readonly session?: SessionRecord | undefined;
}

/** A change needs a session and the password, so that a stolen session cannot take over the account. */
export interface Change {
  readonly account: AccountRecord;
  readonly currentPassword: string;
}

export interface EmailChange extends Change {
  readonly email: string;
}

export interface PasswordChange extends Change {
  readonly newPassword: string;
}

export interface AccountDeps {
  readonly credentials: Credentials;
  readonly passwords: Passwords;
  readonly throttle: PasswordThrottle;
  readonly secondFactor: Pick<SecondFactor, "check">;
  /** Groups client addresses for the throttle: IPv6 addresses by their network. */
  readonly clientKey: (address: string) => string;
  readonly now?: () => Millis;
}

/** The id of the first account. */
const ADMINISTRATOR = "administrator";

/** The catalog setting with the setup token's hash and expiry. */
const SETUP_TOKEN = "setup-token";
const SETUP_LIFETIME_MS = 24 * 3600 * 1000;

export function createAccounts(deps: AccountDeps): Accounts {
  const { credentials, passwords, throttle, secondFactor, clientKey, now = Date.now } = deps;
  const signInSubjects = createSignInSubjects({ credentials, clientKey, now });

  async function addFirst(email: string, password: string): Promise<AccountRecord> {
    const account = newAccount({
      id: ADMINISTRATOR,
      email: normalizeEmail(email),
      passwordHash: await passwords.hash(password),
      createdAt: now(),
      role: "owner",
    });
    await credentials.addFirstAccount(account);
    await credentials.putSetting(SETUP_TOKEN, null);
    // A new instance keeps replaced content. One with keys was in use before, and nothing changes for it.
    const isNew = (await credentials.apiKeys()).length === 0;
    if (isNew) await credentials.claimSetting("keepVersions", "true");
    return account;
  }

  /** Checks a secret under the throttle. Fault "unauthorized" with the message: it is wrong. */
  const check = (
    subjects: readonly ThrottleSubject[],
    message: string,
    isCorrect: () => Promise<boolean>,
  ): Promise<void> =>
    checkThrottled(throttle, subjects, async () => {
      if (!(await isCorrect()))
        throw new Fault("unauthorized", message, { code: "wrong_credentials" });
    });

  // Per account only: with the client's address, strangers behind the same address could block the owner.
  const confirmPassword = ({ account, currentPassword }: Change): Promise<void> =>
    check([passwordChangeSubject(account.id)], "The current password is wrong.", () =>
      passwords.verify(currentPassword, account.passwordHash),
    );

  async function onlyOwner(): Promise<AccountRecord | undefined> {
    const owners = (await credentials.accounts()).filter(({ role }) => role === "owner");
    if (owners.length > 1) {
      throw new Error(`There are ${owners.length} owners: name the email address of one.`);
    }
    return owners[0];
  }

  async function accountToReset(email: string | undefined): Promise<AccountRecord> {
    const account = await (email === undefined
      ? onlyOwner()
      : credentials.accountByEmail(normalizeEmail(email)));
    if (account !== undefined) return account;
    throw new Error(
      email === undefined
        ? "The administrator's account does not exist yet."
        : `There is no account with the address ${normalizeEmail(email)}.`,
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
      await credentials.putSetting(
        SETUP_TOKEN,
        `${hashSecret(token)} ${now() + SETUP_LIFETIME_MS}`,
      );
      return token;
    },
    async setup({ token, email, password, client }) {
      if ((await credentials.accountCount()) > 0) {
        throw new Fault("conflict", "The administrator's account exists already: sign in.");
      }
      rejectCommonPassword(password);
      const message =
        "This setup link is not valid. Use the newest one that the server printed, within a day of its start.";
      // Per client only: with a shared subject, anybody could block the setup.
      await check([clientSubject(clientKey(client))], message, () => isSetupToken(token));
      return addFirst(email, password);
    },
    async ensureAccount(email, password) {
      if ((await credentials.accountCount()) > 0) return;
      try {
        await addFirst(email, password);
      } catch (error) {
        // Another process that starts at the same time was first.
        if (!(error instanceof Fault && error.kind === "conflict")) throw error;
      }
    },
    async signIn({ email, password, code, client, session }) {
      const address = normalizeEmail(email);
      const account = await credentials.accountByEmail(address);
      const subjects = await signInSubjects({ email: address, account, client, session });
      await check(subjects, "The email address or the password is wrong.", () =>
        passwords.verify(password, account?.passwordHash),
      );
      if (account === undefined) throw new Error("A password was verified without an account");
      await secondFactor.check(account.id, code);
      return account;
    },
    confirmPassword,
    async changeEmail({ email, ...change }) {
      await confirmPassword(change);
      const { account } = change;
      const changed = { ...account, email: normalizeEmail(email) };
      const ifPasswordHash = account.passwordHash;
      await credentials.setEmail({ accountId: account.id, email: changed.email, ifPasswordHash });
      return changed;
    },
    async changePassword({ newPassword, ...change }) {
      rejectCommonPassword(newPassword);
      await confirmPassword(change);
      const { account } = change;
      const passwordHash = await passwords.hash(newPassword);
      const ifPasswordHash = account.passwordHash;
      await credentials.setPassword({ accountId: account.id, passwordHash, ifPasswordHash });
      return { ...account, passwordHash };
    },
    async resetPassword({ email, id, newPassword, removeSecondFactor = false, byOwner }) {
      const account = await (id === undefined
        ? accountToReset(email)
        : credentials.accountById(id));
      if (account === undefined) throw new Fault("not_found", "No such account.");
      const password = newPassword ?? randomSecret().slice(-20);
      const passwordHash = await passwords.hash(password);
      const change = {
        accountId: account.id,
        passwordHash,
        ...(byOwner === undefined ? {} : { byOwner }),
      };
      if (removeSecondFactor) await credentials.resetSignIn(change);
      else await credentials.setPassword(change);
      return {
        email: account.email,
        password,
        hasSecondFactor: (await credentials.secondFactorOf(account.id)) !== undefined,
        passkeys: (await credentials.passkeysOf(account.id)).length,
      };
    },
  };
}

export const normalizeEmail = (email: string): string => email.trim().toLowerCase();
