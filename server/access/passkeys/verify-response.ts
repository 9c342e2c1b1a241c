import { Fault } from "../../domain/faults/fault.ts";
import type { PasskeyRecord } from "../../domain/records.ts";
import { ALGORITHMS } from "./ceremony-options.ts";
import type { RelyingParty } from "./relying-party.ts";

/* The responses of browsers, verified with @simplewebauthn/server. All bytes are base64url. */

/** The response of `navigator.credentials.create()`. */
export interface RegistrationResponse {
  readonly id: string;
  readonly rawId: string;
  readonly type: "public-key";
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports?: readonly string[] | undefined;
  };
}

/** The response of `navigator.credentials.get()`. */
export interface AssertionResponse {
  readonly id: string;
  readonly rawId: string;
  readonly type: "public-key";
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle?: string | undefined;
  };
}

export interface Expected {
  readonly challenge: string;
  readonly site: RelyingParty;
}

export type VerifiedRegistration = Pick<
  PasskeyRecord,
  "credentialId" | "publicKey" | "counter" | "transports" | "canSync" | "isSynced"
> & { readonly aaguid: string };

const TRANSPORTS = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"];
/** What browsers send if they are asked for no attestation. Others name servers to be asked about them. */
const ATTESTATIONS = ["none", "packed"];

/** Fault "invalid": it is not a passkey of this site, or its user was not verified. */
export async function verifyRegistration(
  response: RegistrationResponse,
  { challenge, site }: Expected,
): Promise<VerifiedRegistration> {
  const { transports = [], ...bytes } = response.response;
  const { verifyRegistrationResponse, decodeAttestationObject } = await loadLibrary();
  try {
    const attestation = decodeAttestationObject(
      new Uint8Array(Buffer.from(bytes.attestationObject, "base64url")),
    );
    if (!ATTESTATIONS.includes(attestation.get("fmt"))) throw new Error("Unexpected attestation");
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...response, response: bytes, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...ALGORITHMS],
    });
    if (!verified) throw new Error("Not verified");
    const { credential, aaguid, credentialDeviceType, credentialBackedUp } = registrationInfo;
    return {
      aaguid,
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString("base64url"),
      counter: credential.counter,
      transports: TRANSPORTS.filter((known) => transports.includes(known)),
      canSync: credentialDeviceType === "multiDevice",
      isSynced: credentialBackedUp,
    };
  } catch (cause) {
    throw new Fault("invalid", "The browser's response is not a passkey for this site.", { cause });
  }
}

/**
 * The library that verifies responses of browsers. It is loaded with the first of them, because
 * from the sources it takes 25 MB of memory and a fifth of a second.
 */
async function loadLibrary() {
  // One of its dependencies needs this first. In a bundle, its own import of it comes too late.
  await import("reflect-metadata");
  return {
    ...(await import("@simplewebauthn/server")),
    ...(await import("@simplewebauthn/server/helpers")),
  };
}

/**
 * Checks the signature, not the counter, which only the catalog can compare. Fault "unauthorized": the
 * passkey did not sign the challenge for this site, or its user was not verified.
 */
export async function verifyAssertion(
  response: AssertionResponse,
  passkey: PasskeyRecord,
  { challenge, site }: Expected,
): Promise<{ counter: number; isSynced: boolean }> {
  const { userHandle, ...bytes } = response.response;
  const { verifyAuthenticationResponse } = await loadLibrary();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...response, response: bytes, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      requireUserVerification: true,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, "base64url")),
        counter: 0,
      },
    });
    const { newCounter, credentialDeviceType, credentialBackedUp } = authenticationInfo;
    const canSync = credentialDeviceType === "multiDevice";
    if (!verified || canSync !== passkey.canSync) throw new Error("Not verified");
    return { counter: newCounter, isSynced: credentialBackedUp };
  } catch (cause) {
    throw new Fault("unauthorized", "This passkey was not accepted.", {
      cause,
      code: "wrong_credentials",
    });
  }
}
