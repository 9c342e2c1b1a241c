import type {
  AccountObject,
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyObject,
  PasskeyRegistration,
  PasskeyRequestOptions,
} from "../../../contract/api.ts";
import { reads, sends } from "../connection/call.ts";
import type { CallOptions } from "../connection/options.ts";
import type { Transport } from "../connection/transport.ts";

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

export function createPasskeys(transport: Transport): Passkeys {
  const rename = sends(transport, "renamePasskey", "passkey", 0);
  const remove = sends(transport, "removePasskey", "passkey", 0);
  const signIn = sends(transport, "signInWithPasskey", "account", 0);
  return {
    passkeys: reads(transport, "passkeys", "passkeys"),
    preparePasskey: sends(transport, "preparePasskey", "options", 0),
    addPasskey: sends(transport, "addPasskey", "passkey", 0),
    renamePasskey: (id, name, options) => rename({ id, name }, options),
    removePasskey: (id, options) => remove({ id }, options),
    passkeySignInOptions: reads(transport, "passkeySignInOptions", "options"),
    signInWithPasskey: (response, options) => signIn({ response }, options),
  };
}
