import type { AccountObject, SessionObject } from "../../contract/types.ts";
import type { CallOptions } from "./options.ts";
import type { Call, Transport } from "./transport.ts";

/**
 * The administrator's account. For pages of the server's own site, because the session is a browser
 * cookie. Requests with passwords are never retried.
 */
export interface Account {
  /** Whether the account still has to be created. */
  setupState(options?: CallOptions): Promise<{ needed: boolean }>;
  /** Creates the account with the token of the setup link, and signs in. 409: the account exists. */
  setup(
    input: { token: string; email: string; password: string },
    options?: CallOptions,
  ): Promise<AccountObject>;
  /** 401: the email address or password is wrong. 429: too many failures, see `retryAfter`. */
  signIn(input: { email: string; password: string }, options?: CallOptions): Promise<AccountObject>;
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
  /** Changes the password and ends all other sessions. 401: the current password is wrong. */
  changePassword(
    input: { currentPassword: string; newPassword: string },
    options?: CallOptions,
  ): Promise<AccountObject>;
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

  return {
    setupState: ({ signal } = {}) => transport.json({ method: "GET", path: "/auth/setup", signal }),
    setup: ({ token, email, password }, options = {}) =>
      sendCredentials("POST", "/auth/setup", { token, email, password }, options),
    signIn: ({ email, password }, options = {}) =>
      sendCredentials("POST", "/auth/sign-in", { email, password }, options),
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
