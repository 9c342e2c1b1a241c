import type {
  AccountObject,
  SecondFactorObject,
  SessionObject,
} from "../../contract/types/account.ts";
import type { CallOptions } from "./options.ts";
import { createPasskeys, type Passkeys } from "./passkeys.ts";
import type { Call, Transport } from "./transport.ts";

/**
 * The administrator's account. For pages of the server's own site, because the session is a browser
 * cookie. Requests with passwords are never retried.
 */
export interface Account extends Passkeys {
  /** Whether the account still has to be created. */
  setupState(options?: CallOptions): Promise<{ needed: boolean }>;
  /** Creates the account with the token of the setup link, and signs in. 409: the account exists. */
  setup(
    input: { token: string; email: string; password: string },
    options?: CallOptions,
  ): Promise<AccountObject>;
  /**
   * 401: the email address, password or code is wrong. 403: the password is right, and the account needs
   * a `code` as well. 429: too many failures, see `retryAfter`.
   */
  signIn(
    input: { email: string; password: string; code?: string | undefined },
    options?: CallOptions,
  ): Promise<AccountObject>;
  signOut(options?: CallOptions): Promise<void>;
  /** 401: there is no session. */
  whoAmI(options?: CallOptions): Promise<{ account: AccountObject; session: SessionObject }>;
  sessions(options?: CallOptions): Promise<SessionObject[]>;
  endSession(id: string, options?: CallOptions): Promise<void>;
  /** Ends all sessions except this one. Returns their number. */
  endOtherSessions(options?: CallOptions): Promise<number>;
  /** Changes the email address for future sign-ins. 401: the current password is wrong. */
  changeEmail(
    input: { email: string; currentPassword: string },
    options?: CallOptions,
  ): Promise<AccountObject>;
  /** Whether two-step sign-in is on. */
  secondFactor(options?: CallOptions): Promise<SecondFactorObject>;
  /** A secret for an authenticator app, and the content of its QR code. Changes nothing. */
  prepareSecondFactor(options?: CallOptions): Promise<{ secret: string; uri: string }>;
  /** Turns two-step sign-in on. Returns the recovery codes, which cannot be read again. */
  enableSecondFactor(
    input: SecondFactorProof & { secret: string },
    options?: CallOptions,
  ): Promise<string[]>;
  disableSecondFactor(input: SecondFactorProof, options?: CallOptions): Promise<void>;
  /** Replaces the recovery codes and returns the new ones. */
  renewRecoveryCodes(input: SecondFactorProof, options?: CallOptions): Promise<string[]>;
  /** Changes the password and ends all other sessions. 401: the current password is wrong. */
  changePassword(
    input: { currentPassword: string; newPassword: string },
    options?: CallOptions,
  ): Promise<AccountObject>;
}

const SECOND_FACTOR = "/auth/second-factor";

/** What changes of two-step sign-in need. */
export interface SecondFactorProof {
  readonly currentPassword: string;
  /** The code that the authenticator app shows, or a recovery code. */
  readonly code: string;
}

export function createAccount(transport: Transport): Account {
  const sendCredentials = async (
    method: Call["method"],
    path: string,
    body: object,
    { signal }: CallOptions,
  ): Promise<AccountObject> => {
    const call = { method, path, body, signal, retries: 0 };
    return (await transport.json<{ account: AccountObject }>(call)).account;
  };
  const end = async (body: object, { signal }: CallOptions): Promise<number> => {
    const call = { method: "DELETE", path: "/auth/sessions", body, signal } as const;
    return (await transport.json<{ ended: number }>(call)).ended;
  };

  const recoveryCodes = async (
    method: Call["method"],
    path: string,
    body: object,
    { signal }: CallOptions,
  ): Promise<string[]> => {
    const call = { method, path, body, signal, retries: 0 };
    return (await transport.json<{ recoveryCodes: string[] }>(call)).recoveryCodes;
  };

  return {
    ...createPasskeys(transport),
    secondFactor: ({ signal } = {}) =>
      transport.json({ method: "GET", path: SECOND_FACTOR, signal }),
    prepareSecondFactor: ({ signal } = {}) =>
      transport.json({ method: "POST", path: `${SECOND_FACTOR}/secret`, signal }),
    enableSecondFactor: ({ currentPassword, secret, code }, options = {}) =>
      recoveryCodes("POST", SECOND_FACTOR, { currentPassword, secret, code }, options),
    async disableSecondFactor({ currentPassword, code }, { signal } = {}) {
      const body = { currentPassword, code };
      const call = { method: "DELETE", path: SECOND_FACTOR, body, signal, retries: 0 } as const;
      await transport.json(call);
    },
    renewRecoveryCodes: ({ currentPassword, code }, options = {}) =>
      recoveryCodes("PUT", `${SECOND_FACTOR}/recovery-codes`, { currentPassword, code }, options),
    setupState: ({ signal } = {}) => transport.json({ method: "GET", path: "/auth/setup", signal }),
    setup: ({ token, email, password }, options = {}) =>
      sendCredentials("POST", "/auth/setup", { token, email, password }, options),
    signIn: ({ email, password, code }, options = {}) =>
      sendCredentials("POST", "/auth/sign-in", { email, password, code }, options),
    async signOut({ signal } = {}) {
      await transport.json({ method: "POST", path: "/auth/sign-out", signal });
    },
    whoAmI: ({ signal } = {}) => transport.json({ method: "GET", path: "/auth/session", signal }),
    async sessions({ signal } = {}) {
      const call = { method: "GET", path: "/auth/sessions", signal } as const;
      return (await transport.json<{ sessions: SessionObject[] }>(call)).sessions;
    },
    async endSession(id, options = {}) {
      await end({ id }, options);
    },
    endOtherSessions: (options = {}) => end({ others: true }, options),
    changeEmail: ({ email, currentPassword }, options = {}) =>
      sendCredentials("PUT", "/auth/email", { email, currentPassword }, options),
    changePassword: ({ currentPassword, newPassword }, options = {}) =>
      sendCredentials("PUT", "/auth/password", { currentPassword, newPassword }, options),
  };
}
