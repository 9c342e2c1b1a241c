import type { IdentityObject } from "../../contract/api.ts";
import type { BaseClient } from "./base-client.ts";
import type { CallOptions } from "./options.ts";

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

export function identitiesOf(holdall: Pick<BaseClient, "call">): Identities {
  return {
    identities: async ({ signal } = {}) =>
      (await holdall.call("identities", { signal })).identities,
    connectIdentity: async (body, { signal } = {}) =>
      (await holdall.call("connectIdentity", { body, signal, retries: 0 })).url,
    beginInvitation: async (body, { signal } = {}) =>
      (await holdall.call("beginInvitation", { body, signal, retries: 0 })).url,
    async disconnectIdentity({ issuer, subject }, { signal } = {}) {
      await holdall.call("disconnectIdentity", { body: { issuer, subject }, signal });
    },
  };
}
