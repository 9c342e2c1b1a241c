import type { AccountRecord, PasskeyRecord } from "../../domain/records.ts";
import { CHALLENGE_LIFETIME_MS } from "./challenges.ts";
import type { RelyingParty } from "./relying-party.ts";

/* What browsers need to create and to use a passkey, as JSON (WebAuthn Level 3, sections 5.4 and 5.5). */

/** Ed25519, ES256 and RS256: what every authenticator supports at least one of. */
export const ALGORITHMS: readonly number[] = [-8, -7, -257];

export interface CreationDeps {
  readonly challenge: string;
  readonly site: RelyingParty;
  readonly account: AccountRecord;
  /** In base64url. */
  readonly userHandle: string;
  /** The passkeys of the account: an authenticator that has one makes no other. */
  readonly passkeys: readonly PasskeyRecord[];
}

/** Options for a discoverable credential, which signs in without an email address. */
export function creationOptions(deps: CreationDeps) {
  const { challenge, site, account, userHandle, passkeys } = deps;
  return {
    challenge,
    rp: { id: site.host, name: "Holdall" },
    user: { id: userHandle, name: account.email, displayName: account.email },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key" as const, alg })),
    timeout: CHALLENGE_LIFETIME_MS,
    excludeCredentials: passkeys
      .filter(({ host }) => host === site.host)
      .map(({ credentialId, transports }) => ({
        type: "public-key" as const,
        id: credentialId,
        transports: [...transports],
      })),
    authenticatorSelection: {
      residentKey: "required" as const,
      requireResidentKey: true,
      userVerification: "required" as const,
    },
    attestation: "none" as const,
  };
}

/** Options that let the user choose among the passkeys of the site. */
export function requestOptions({ challenge, site }: Pick<CreationDeps, "challenge" | "site">) {
  return {
    challenge,
    rpId: site.host,
    timeout: CHALLENGE_LIFETIME_MS,
    userVerification: "required" as const,
  };
}

export type CreationOptions = ReturnType<typeof creationOptions>;
export type RequestOptions = ReturnType<typeof requestOptions>;
