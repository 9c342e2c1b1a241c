import { randomBytes } from "node:crypto";
import type { Credentials } from "../../catalog/port/credentials.ts";
import type { UsedChallenge } from "../../catalog/port/passkeys.ts";
import { Fault } from "../../domain/fault.ts";
import type { AccountRecord, Millis, PasskeyRecord } from "../../domain/records.ts";
import { uuidV7 } from "../../runtime/uuid.ts";
import { checkThrottled } from "../check-throttled.ts";
import type { PasswordThrottle } from "../password-throttle.ts";
import { clientSubject } from "../throttle-subjects.ts";
import { authenticatorName } from "./authenticator-name.ts";
import {
  type CreationOptions,
  creationOptions,
  type RequestOptions,
  requestOptions,
} from "./ceremony-options.ts";
import { challengeIn, createChallenges } from "./challenges.ts";
import type { RelyingParty } from "./relying-party.ts";
import {
  type AssertionResponse,
  type RegistrationResponse,
  verifyAssertion,
  verifyRegistration,
} from "./verify-response.ts";

/**
 * Passkeys (WebAuthn): a second way to sign in, without the password and without a code, because the
 * authenticator verifies its user.
 */
export interface Passkeys {
  /** Newest first. */
  list(accountId: string): Promise<PasskeyRecord[]>;
  /**
   * What the browser needs to make a passkey. The caller has confirmed the password: only the session
   * `by` can add a passkey with it.
   */
  prepare(by: Owner, site: RelyingParty): Promise<CreationOptions>;
  /** Faults: "invalid"; "conflict": it was added before, or there are too many. */
  add(request: NewPasskey): Promise<PasskeyRecord>;
  /** Fault "not_found". */
  rename(accountId: string, id: string, name: string): Promise<PasskeyRecord>;
  /** Returns the removed one. Fault "not_found". */
  remove(accountId: string, id: string): Promise<PasskeyRecord>;
  /** What the browser needs to sign in; undefined: no passkey works for this host. */
  signInOptions(site: RelyingParty): Promise<RequestOptions | undefined>;
  /**
   * Returns the account of the passkey. Faults: "invalid": the challenge is unknown or has expired;
   * "unauthorized"; "rate_limited".
   */
  signIn(request: PasskeySignIn): Promise<AccountRecord>;
}

export interface Owner {
  readonly account: AccountRecord;
  readonly sessionId: string;
}

export interface NewPasskey extends Owner {
  readonly response: RegistrationResponse;
  /** For an authenticator that does not say what it is. */
  readonly name: string | undefined;
  readonly site: RelyingParty;
}

export interface PasskeySignIn {
  readonly response: AssertionResponse;
  readonly site: RelyingParty;
  /** The client's address. */
  readonly client: string;
}

export interface PasskeyDeps {
  readonly credentials: Credentials;
  readonly throttle: PasswordThrottle;
  /** Groups client addresses for the throttle. */
  readonly clientKey: (address: string) => string;
  /** AUTH_SECRET, with which challenges are sealed. */
  readonly secret: () => string;
  readonly now: () => Millis;
}

/** The catalog setting with the user handle: random bytes, by which authenticators tell instances apart. */
const USER_HANDLE = "passkey-user";
const SIGN_IN = "sign in";
const addContext = ({ account, sessionId }: Owner) => `add ${account.id} ${sessionId}`;

export function createPasskeys(deps: PasskeyDeps): Passkeys {
  const { credentials, throttle, clientKey, now } = deps;
  const challenges = createChallenges(deps.secret, now);

  const userHandle = async (): Promise<string> =>
    (await credentials.setting(USER_HANDLE)) ??
    credentials.claimSetting(USER_HANDLE, randomBytes(32).toString("base64url"));

  /** Checks the signature, and uses the challenge. */
  async function accept(
    response: AssertionResponse,
    expected: { readonly challenge: string; readonly site: RelyingParty },
    challenge: UsedChallenge,
  ): Promise<AccountRecord> {
    const passkey = await credentials.passkeyByCredentialId(response.id);
    const account = passkey && (await credentials.accountById(passkey.accountId));
    const handle = response.response.userHandle;
    if (passkey === undefined || account === undefined || handle !== (await userHandle())) {
      throw new Fault("unauthorized", "This passkey is not known here. It may have been removed.");
    }
    const signed = await verifyAssertion(response, passkey, expected);
    await credentials.recordPasskeyUse({ id: passkey.id, challenge, ...signed, at: now() });
    return account;
  }

  return {
    list: (accountId) => credentials.passkeysOf(accountId),
    async prepare(by, site) {
      return creationOptions({
        challenge: challenges.make(addContext(by)),
        site,
        account: by.account,
        userHandle: await userHandle(),
        passkeys: await credentials.passkeysOf(by.account.id),
      });
    },
    async add({ response, name, site, ...by }) {
      const text = challengeIn(response.response.clientDataJSON);
      const challenge = challenges.open(text, addContext(by));
      const { aaguid, ...verified } = await verifyRegistration(response, { challenge: text, site });
      const createdAt = now();
      const passkey: PasskeyRecord = {
        ...verified,
        id: uuidV7(createdAt),
        accountId: by.account.id,
        host: site.host,
        name: authenticatorName(aaguid) ?? name ?? "Passkey",
        createdAt,
        lastUsedAt: null,
      };
      const ifPasswordHash = by.account.passwordHash;
      await credentials.addPasskey({ passkey, challenge, ifPasswordHash });
      return passkey;
    },
    rename: (accountId, id, name) => credentials.renamePasskey({ accountId, id, name }),
    async remove(accountId, id) {
      const removed = await credentials.removePasskey(accountId, id);
      if (removed === undefined) throw new Fault("not_found", "Passkey not found.");
      return removed;
    },
    async signInOptions(site) {
      if (!(await credentials.hasPasskeys(site.host))) return undefined;
      return requestOptions({ challenge: challenges.make(SIGN_IN), site });
    },
    async signIn({ response, site, client }) {
      const text = challengeIn(response.response.clientDataJSON);
      // Not a failed attempt: the page was open for too long.
      const challenge = challenges.open(text, SIGN_IN);
      return checkThrottled(throttle, [clientSubject(clientKey(client))], () =>
        accept(response, { challenge: text, site }, challenge),
      );
    },
  };
}
