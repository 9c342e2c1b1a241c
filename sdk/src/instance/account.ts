import type {
  AccountObject,
  SecondFactorObject,
  SessionObject,
  SpaceObject,
} from "../../../contract/api.ts";
import { call, reads, sends } from "../connection/call.ts";
import type { CallOptions } from "../connection/options.ts";
import type { Transport } from "../connection/transport.ts";
import { createPasskeys, type Passkeys } from "./passkeys.ts";

/**
 * The administrator's account. For pages of the server's own site, because the session is a browser
 * cookie. Requests with passwords are never retried.
 */
export interface Account extends Passkeys {
  /** Whether the account still has to be created, and how people sign in. */
  setupState(options?: CallOptions): Promise<SetupState>;
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
  /** Returns the page that signs out at the provider, too, if there is one. */
  signOut(options?: CallOptions): Promise<string | null>;
  /** 401: there is no session. */
  whoAmI(options?: CallOptions): Promise<SignedInAccount>;
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

export interface SignedInAccount {
  readonly account: AccountObject;
  readonly session: SessionObject;
  /** The spaces in which a member may work; see the option `space`. Owners work everywhere, and have none. */
  readonly spaces: readonly SpaceObject[];
  /** Whether there is another account, an open invitation or a grant. Only owners get it. */
  readonly hasOthers: boolean;
  /** Whether the session can only set up a second factor, until it has one. */
  readonly needsSecondFactor: boolean;
}

export interface SetupState {
  /** Whether the account still has to be created. */
  readonly needed: boolean;
  /** Whether a password signs in. */
  readonly passwordSignIn: boolean;
  /** Name of the provider that signs in at `/auth/oidc`; null: there is none. */
  readonly provider: string | null;
}

/** The proof that changes of two-step sign-in need. */
export interface SecondFactorProof {
  readonly currentPassword: string;
  /** The code that the authenticator app shows, or a recovery code. */
  readonly code: string;
}

export function createAccount(transport: Transport): Account {
  const end = sends(transport, "endSessions", "ended");
  return {
    ...createPasskeys(transport),
    secondFactor: reads(transport, "secondFactor"),
    prepareSecondFactor: reads(transport, "prepareSecondFactor"),
    enableSecondFactor: sends(transport, "enableSecondFactor", "recoveryCodes", 0),
    async disableSecondFactor(body, { signal } = {}) {
      await call(transport, "disableSecondFactor", { body, signal, retries: 0 });
    },
    renewRecoveryCodes: sends(transport, "renewRecoveryCodes", "recoveryCodes", 0),
    setupState: reads(transport, "setupState"),
    setup: sends(transport, "setup", "account", 0),
    signIn: sends(transport, "signIn", "account", 0),
    signOut: reads(transport, "signOut", "url"),
    whoAmI: reads(transport, "whoAmI"),
    sessions: reads(transport, "listSessions", "sessions"),
    async endSession(id, options) {
      await end({ id }, options);
    },
    endOtherSessions: (options) => end({ others: true }, options),
    changeEmail: sends(transport, "changeEmail", "account", 0),
    changePassword: sends(transport, "changePassword", "account", 0),
  };
}
