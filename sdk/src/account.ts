import type { AccountObject, SessionObject } from "../../contract/types.ts";
import type { CallOptions } from "./options.ts";
import type { Call, Transport } from "./transport.ts";

/**
 * The administrator's account. These are for pages of the server's own site: the session is a
 * cookie that a browser keeps. Passwords are sent once, never tried again by themselves.
 */
export interface Account {
  /** Whether the account has yet to be created. */
  setupState(options?: CallOptions): Promise<{ needed: boolean }>;
  /** Creates the account with the token of the setup link, and signs in. 409: it exists. */
  setup(
    input: { token: string; email: string; password: string },
    options?: CallOptions,
  ): Promise<AccountObject>;
  /** 401: wrong email address or password. 429: too many failures, see `retryAfter`. */
  signIn(input: { email: string; password: string }, options?: CallOptions): Promise<AccountObject>;
  signOut(options?: CallOptions): Promise<void>;
  /** 401: nobody is signed in. */
  whoAmI(options?: CallOptions): Promise<{ account: AccountObject; session: SessionObject }>;
  sessions(options?: CallOptions): Promise<SessionObject[]>;
  endSession(id: string, options?: CallOptions): Promise<void>;
  /** Every session but this one. Returns how many there were. */
  endOtherSessions(options?: CallOptions): Promise<number>;
  /** The address to sign in with from now on. 401: the current password is wrong. */
  changeEmail(
    input: { email: string; currentPassword: string },
    options?: CallOptions,
  ): Promise<AccountObject>;
  /** Ends every other session too. 401: the current password is wrong. */
  changePassword(
    input: { currentPassword: string; newPassword: string },
    options?: CallOptions,
  ): Promise<AccountObject>;
}

export function createAccount(transport: Transport): Account {
  const signedIn = async (
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
      signedIn("POST", "/auth/setup", { token, email, password }, options),
    signIn: ({ email, password }, options = {}) =>
      signedIn("POST", "/auth/sign-in", { email, password }, options),
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
      signedIn("PUT", "/auth/email", { email, currentPassword }, options),
    changePassword: ({ currentPassword, newPassword }, options = {}) =>
      signedIn("PUT", "/auth/password", { currentPassword, newPassword }, options),
  };
}
