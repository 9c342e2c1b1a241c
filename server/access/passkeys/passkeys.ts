import { randomBytes } from "node:crypto";
import type { Credentials } from "../../catalog/port/credentials.ts";
import type { UsedChallenge } from "../../catalog/port/passkeys.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { AccountRecord, Millis, PasskeyRecord } from "../../domain/records.ts";
import { uuidV7 } from "../../runtime/uuid.ts";
import { checkThrottled } from "../check-throttled.ts";
import type { PasswordThrottle } from "../password-throttle.ts";
import { clientSubject } from "../throttle-subjects.ts";
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
  /** The name for an authenticator that does not say what it is. */
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
      throw new Fault("unauthorized", "This passkey is not known here. It may have been removed.", {
        code: "wrong_credentials",
      });
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

/**
 * The names of authenticators by their AAGUID, from the community's list "Passkey Provider AAGUIDs":
 * the password managers and systems that tell it without attestation.
 */
const NAMES: Readonly<Record<string, string>> = {
  "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4": "Google Password Manager",
  "fbfc3007-154e-4ecc-8c0b-6e020557d7bd": "Apple Passwords",
  "dd4ec289-e01d-41c9-bb89-70fa845d4bf2": "Apple Passwords (managed)",
  "d3452668-01fd-4c12-926c-83a4204853aa": "Microsoft Password Manager",
  "08987058-cadc-4b81-b6e1-30de50dcbe96": "Windows Hello",
  "9ddd1817-af5a-4672-a2b9-3e3dd95000a9": "Windows Hello",
  "6028b017-b1d4-4c02-b4b3-afcdafc96bb2": "Windows Hello",
  "53414d53-554e-4700-0000-000000000000": "Samsung Pass",
  "adce0002-35bc-c60a-648b-0b25f1f05503": "Chrome on macOS",
  "771b48fd-d3d4-4f74-9232-fc157ab0507a": "Edge on macOS",
  "bada5566-a7aa-401f-bd96-45619a55120d": "1Password",
  "d548826e-79b4-db40-a3d8-11116f7e8349": "Bitwarden",
  "531126d6-e717-415c-9320-3d9aa6981239": "Dashlane",
  "b78a0a55-6ef8-d246-a042-ba0f6d55050c": "LastPass",
  "b84e4048-15dc-4dd0-8640-f4f60813c8af": "NordPass",
  "50726f74-6f6e-5061-7373-50726f746f6e": "Proton Pass",
  "0ea242b4-43c4-4a1b-8b17-dd6d0b6baec6": "Keeper",
  "f3809540-7f14-49c1-a8b3-8f813b225541": "Enpass",
  "fdb141b2-5d84-443e-8a35-4698c205a502": "KeePassXC",
  "eaecdef2-1c31-5634-8639-f1cbd9c00a08": "KeePassDX",
};

/** undefined: an authenticator that does not say what it is, or an unknown one. */
const authenticatorName = (aaguid: string): string | undefined => NAMES[aaguid];
