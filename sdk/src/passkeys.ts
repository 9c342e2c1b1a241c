import type { AccountObject } from "../../contract/types/account.ts";
import type {
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyObject,
  PasskeyRegistration,
  PasskeyRequestOptions,
} from "../../contract/types/passkeys.ts";
import type { CallOptions } from "./options.ts";
import type { Call, Transport } from "./transport.ts";

/** Passkeys of the administrator's account. Browsers create and use them; this carries the JSON. */
export interface Passkeys {
  /** Newest first. */
  passkeys(options?: CallOptions): Promise<PasskeyObject[]>;
  /** 401: the password or the code is wrong. 403: the account needs a `code` as well. */
  preparePasskey(
    input: { currentPassword: string; code?: string | undefined },
    options?: CallOptions,
  ): Promise<PasskeyCreationOptions>;
  /** `name`: for an authenticator that does not say what it is. 409: it was added before. */
  addPasskey(
    input: { response: PasskeyRegistration; name?: string | undefined },
    options?: CallOptions,
  ): Promise<PasskeyObject>;
  renamePasskey(id: string, name: string, options?: CallOptions): Promise<PasskeyObject>;
  removePasskey(id: string, options?: CallOptions): Promise<PasskeyObject>;
  /** null: no passkey works for this host. */
  passkeySignInOptions(options?: CallOptions): Promise<PasskeyRequestOptions | null>;
  /** 401: the passkey is not accepted. 429: too many failures, see `retryAfter`. */
  signInWithPasskey(response: PasskeyAssertion, options?: CallOptions): Promise<AccountObject>;
}

const PASSKEYS = "/auth/passkeys";
const SIGN_IN = "/auth/sign-in/passkey";

export function createPasskeys(transport: Transport): Passkeys {
  const sendPasskey = async (method: Call["method"], body: object, { signal }: CallOptions) => {
    const call = { method, path: PASSKEYS, body, signal, retries: 0 };
    return (await transport.json<{ passkey: PasskeyObject }>(call)).passkey;
  };
  return {
    async passkeys({ signal } = {}) {
      const call = { method: "GET", path: PASSKEYS, signal } as const;
      return (await transport.json<{ passkeys: PasskeyObject[] }>(call)).passkeys;
    },
    async preparePasskey({ currentPassword, code }, { signal } = {}) {
      const body = { currentPassword, code };
      const path = `${PASSKEYS}/options`;
      const call = { method: "POST", path, body, signal, retries: 0 } as const;
      return (await transport.json<{ options: PasskeyCreationOptions }>(call)).options;
    },
    addPasskey: ({ response, name }, options = {}) =>
      sendPasskey("POST", { response, name }, options),
    renamePasskey: (id, name, options = {}) => sendPasskey("PUT", { id, name }, options),
    removePasskey: (id, options = {}) => sendPasskey("DELETE", { id }, options),
    async passkeySignInOptions({ signal } = {}) {
      const call = { method: "POST", path: `${SIGN_IN}/options`, signal } as const;
      return (await transport.json<{ options: PasskeyRequestOptions | null }>(call)).options;
    },
    async signInWithPasskey(response, { signal } = {}) {
      const call = {
        method: "POST",
        path: SIGN_IN,
        body: { response },
        signal,
        retries: 0,
      } as const;
      return (await transport.json<{ account: AccountObject }>(call)).account;
    },
  };
}
