import type { IdentityObject } from "../../contract/api.ts";
import { call, reads, sends } from "./call.ts";
import type { CallOptions } from "./options.ts";
import type { Transport } from "./transport.ts";

/** Accounts at an OpenID Connect provider that sign in to the account. */
export interface Identities {
  identities(options?: CallOptions): Promise<IdentityObject[]>;
  /**
   * Returns the page to open in the same browser within ten minutes. 401: the password or the code is wrong. 403:
   * the account needs a `code` as well.
   */
  connectIdentity(
    input: { currentPassword: string; code?: string | undefined },
    options?: CallOptions,
  ): Promise<string>;
  /** Accepts an invitation with the provider. Returns the page to open, as `connectIdentity`. */
  beginInvitation(input: { token: string }, options?: CallOptions): Promise<string>;
  /** 409: nothing else signs in to the account. */
  disconnectIdentity(
    identity: { issuer: string; subject: string },
    options?: CallOptions,
  ): Promise<void>;
}

export function createIdentities(transport: Transport): Identities {
  return {
    identities: reads(transport, "identities", "identities"),
    connectIdentity: sends(transport, "connectIdentity", "url", 0),
    beginInvitation: sends(transport, "beginInvitation", "url", 0),
    async disconnectIdentity({ issuer, subject }, { signal } = {}) {
      await call(transport, "disconnectIdentity", { body: { issuer, subject }, signal });
    },
  };
}
